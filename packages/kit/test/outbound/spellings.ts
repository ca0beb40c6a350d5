/** Spellings of loopback and private addresses in a URL, also of those that only look public; `PORT` stands for the port of a test server. */
export const spellings = [
  ...['127.0.0.1:PORT', '127.1:PORT', '127.0.1:PORT', '127.255.255.254:PORT', '0:PORT', '0.0.0.0:PORT', '0x0:PORT', '00000:PORT'],
  ...['2130706433:PORT', '0x7f000001:PORT', '0x7F.0x0.0x0.0x1:PORT', '0x7f.1:PORT', '017700000001:PORT', '0177.0.0.1:PORT', '0177.1:PORT'],
  ...['127.0.0.1.:PORT', '127。0。0。1:PORT', '①②⑦.0.0.1:PORT', '127.0.0.%31:PORT', '%31%32%37.0.0.1:PORT'],
  ...['[::1]:PORT', '[0:0:0:0:0:0:0:1]:PORT', '[0000::0001]:PORT', '[::]:PORT', '[::ffff:127.0.0.1]:PORT', '[::ffff:7f00:1]:PORT'],
  ...['[0:0:0:0:0:ffff:127.0.0.1]:PORT', '[::127.0.0.1]:PORT', '[::7f00:1]:PORT', '[64:ff9b::127.0.0.1]:PORT', '[64:ff9b::7f00:1]:PORT'],
  ...['[64:ff9b:1::7f00:1]:PORT', '[2002:7f00:1::]:PORT', '[2001:0:7f00:1::]:PORT', '[fe80::1]:PORT', '[fec0::1]:PORT', '[fc00::1]:PORT'],
  ...['[fd00:ec2::254]', '[ff02::1]:PORT', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]'],
  ...[
    '169.254.169.254',
    '169.254.43518',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
  ],
  ...['10.0.0.1', '10.1', '172.16.0.1', '192.168.0.1', '192.168.257', '100.64.0.1', '224.0.0.1', '255.255.255.255'],
  ...['localhost:PORT', 'LOCALHOST:PORT', 'localhost.:PORT', 'rebound.example:PORT', 'metadata.google.internal', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT'],
] as const
