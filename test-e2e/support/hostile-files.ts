import { png } from '@caseway/testing/images'

/** File names with path traversal, header injection, misleading types, or characters that break parsers. */
export const hostileNames: readonly string[] = [
  ...['', ' ', '.', '..', '...', '/', '\\', '-rf', '~', '~root', '.htaccess', '.env', 'file\0.txt', '\0'],
  ...[
    '../../../../etc/passwd',
    '..\\..\\windows\\system32\\a.dll',
    '/etc/cron.d/a',
    'C:\\a.txt',
    '\\\\host\\share\\a.txt',
    'file:///etc/passwd',
  ],
  ...['%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00.txt', '..%c0%af..%c0%afetc/passwd', '....//....//etc/passwd'],
  ...['a\r\nX-Injected: yes.txt', 'a\nSet-Cookie: a=b', 'a%0d%0aX-Injected: yes', 'a\u0085b', 'a\u2028b'],
  ...[
    'a.txt"; filename="b.exe',
    "a'; DROP TABLE common_files; --",
    '"',
    "'",
    '`id`',
    '$(id)',
    '\u0024{jndi:ldap://a}',
    '; rm -rf /',
    '| cat',
  ],
  ...['<img src=x onerror=alert(1)>.png', '"><script>alert(1)</script>.svg', 'javascript:alert(1)', '{{7*7}}', '%s%s%s%n'],
  ...['annex\u202Efdp.exe', 'a\u2066b\u2069', '\u200B\u200B.txt', '\uFEFFa.txt', 'cafe\u0301.txt', '👨‍👩‍👧.pdf', 'Zażółć gęślą jaźń.pdf'],
  ...[
    'CON',
    'NUL.txt',
    'COM1',
    'a.',
    'a ',
    'a.txt:stream',
    'a.pdf.exe',
    `${'a'.repeat(300)}.txt`,
    `${'ą'.repeat(300)}.pdf`,
    'a'.repeat(5000),
  ],
]

const script = '<script>document.title = document.domain</script>'
const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`
const gif = Buffer.from('GIF89a/*\x01\x00\x01\x00\x00\x00\x00;*/=1;alert(1)', 'latin1')

interface HostileContent {
  readonly what: string
  readonly name: string
  /** The declared content type. */
  readonly type: string
  readonly content: Buffer
}

const hostile = (what: string, name: string, type: string, ...content: (string | Buffer)[]): HostileContent => ({
  ...{ what, name, type },
  content: Buffer.concat(content.map((part) => Buffer.from(part))),
})

/** Content that a browser could execute if it were rendered on our origin, including polyglots. */
export const hostileContents: readonly HostileContent[] = [
  hostile('HTML', 'a.html', 'text/html', `<!doctype html>${script}`),
  hostile('HTML that is sent as an image', 'a.png', 'image/png', `<!doctype html>${script}`),
  hostile('HTML without a name for it', 'a', 'application/octet-stream', `<html>${script}`),
  hostile('XHTML', 'a.xhtml', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`),
  hostile('SVG with a script', 'a.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`),
  hostile('SVG with an entity', 'a.svg', 'image/svg+xml', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>'),
  hostile('XML with a stylesheet', 'a.xml', 'text/xml', '<?xml-stylesheet type="text/xsl" href="#"?><a/>'),
  hostile('PDF with a script', 'a.pdf', 'application/pdf', pdf),
  hostile('PDF and HTML', 'a.pdf', 'application/pdf', pdf, `\n<html>${script}`),
  hostile('HTML and PDF', 'a.html', 'text/html', `<html>${script}<!--\n`, pdf, '-->'),
  hostile('GIF and JavaScript', 'a.gif', 'image/gif', gif),
  hostile('PNG and HTML', 'a.png', 'image/png', png, script),
  hostile('SVG and HTML', 'a.svg', 'text/html', `<svg/>${script}`),
  hostile('HTML in UTF-7', 'a.html', 'text/html; charset=utf-7', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
  hostile('HTML in UTF-16', 'a.html', 'text/html', Buffer.from(`\uFEFF${script}`, 'utf16le')),
  hostile('JavaScript', 'a.js', 'text/javascript', 'alert(1)'),
  hostile('a frozen page (MHTML)', 'a.mhtml', 'multipart/related', `MIME-Version: 1.0\nContent-Type: text/html\n\n${script}`),
  hostile('Windows shortcuts', 'a.url', 'text/plain', '[InternetShortcut]\nURL=javascript:alert(1)'),
]
