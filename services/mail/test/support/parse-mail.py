"""Reads messages as Python does, and writes what matters of them as JSON; their bytes come as a list of texts in base64."""
import base64
import email
import email.policy
import json
import sys


def read(source):
    message = email.message_from_bytes(source, policy=email.policy.default)

    def addresses(name):
        headers = message.get_all(name, [])
        return [[each.display_name, each.addr_spec] for header in headers for each in header.addresses]

    text = message.get_body(("plain",))
    html = message.get_body(("html",))
    files = [part for part in message.walk() if part.get_content_disposition() in ("attachment", "inline")]
    return {
        "names": [name.lower() for name in message.keys()],
        "from": addresses("from"),
        "to": addresses("to"),
        "cc": addresses("cc"),
        "subject": message["subject"],
        "text": text.get_content() if text else "",
        "html": html.get_content() if html else "",
        "files": [
            [part.get_filename(), part.get_content_type(), part.get_content_disposition(), len(part.get_payload(decode=True) or b"")]
            for part in files
        ],
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
    }


print(json.dumps([read(base64.b64decode(source)) for source in json.load(sys.stdin)]))
