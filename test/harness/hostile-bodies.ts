/** A body that somebody might send, and how the contract answers it. */
export interface HostileBody {
  name: string;
  body: string | Buffer;
  /** "202", or status and code. */
  answer: string;
}

const NOT_JSON = '422 body-not-json';
const INVALID = '422 schema-invalid';
const FORBIDDEN = '422 body-forbidden-key';
const COMPLEX = '422 body-too-complex';
const NOT_UTF8 = '422 body-not-utf8';

/** A show that is taken, with a JSON text where nobody reads it, and another beside its own members. */
export function showWith(extra: string, more = ''): string {
  return (
    `{"type":"runway.show","timestamp":"2026-11-30T08:00:00Z","data":{"brand":"Maison Éclair",` +
    `"season":"Fall 2026 Ready-to-Wear","images":["https://pictures.example/1.jpg"],"extra":{"x":${extra}}${more}}}`
  );
}

/** Values that {@link showWith} has by itself, with one in place of `extra`. */
const OWN_VALUES = 9;

/** What the public JSON suites call valid: it is taken, and kept to the byte. */
const VALID = [
  ...['-0', '-0.0', '0e1', '0E+1', '1E22', '1e-2', '123.456e78', '1.0', '-1', '9007199254740991', '0.1', '1e-400'],
  ...['123e-10000000', '1.00000000000000000000001', '5e-324', '1.7976931348623157e308'],
  ...[
    'true',
    'false',
    'null',
    '[]',
    '{}',
    '[[]   ]',
    '[null,1,"1",{}]',
    '\t[\r\n 1\n,\t2 ]\n',
    '{"":0}',
    '{"a":{"a":{}}}',
  ],
  ...['""', '" "', '"\\u0060\\u012a\\u12AB"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\uD801\\udc37"', '"\\uDBFF\\uDFFF"'],
  ...[
    '"\\\\u0000"',
    '"\\u0001"',
    '"\u007f"',
    '"\u0080"',
    '"\u2028\u2029"',
    '"\uFEFF"',
    '"\uFFFF\uFFFE"',
    '"\u{10FFFF}"',
  ],
  ...['"👩‍🎤🏳️‍🌈"', '"e\u0301 \u00e9"', '"\u202Egnp.exe"', '"/* no comment */"', '"{\\"a\\":1}"', '{"a":"b","A":"c"}'],
  ...[
    '{"constructor":1}',
    '{"prototype":{}}',
    '{"constructor":{"name":1}}',
    '{"toString":1,"hasOwnProperty":2,"then":3}',
  ],
  ...['{"__defineGetter__":1,"valueOf":null}', '{"length":-1}', '{"é":1,"e\u0301":2}', '{"a\\/b":1,"~":2}'],
];

/** What they call invalid. */
const NO_JSON = [
  ...['[1 true]', '[a]', '["x",]', '[1,,2]', '[,1]', '[1,]', '["a"', '[1', '[', ']', '["a",\n4\n,1,', '[x', '["x"]]'],
  ...[
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1,,"b":2}',
    '{,}',
    '{:1}',
    '{1:1}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '{"a"::1}',
  ],
  ...['{"a":1', '{"a', '{null:null}', '{"a":1 "b":2}', '{"a":1}}', '{]', '[}'],
  ...[
    '-',
    '+1',
    '.5',
    '1.',
    '-.1',
    '01',
    '-012',
    '0x1',
    '0b1',
    '1e',
    '1e+',
    '1eE2',
    '0.e1',
    '1_000',
    '1 000',
    '- 1',
    '١',
  ],
  ...['NaN', '-NaN', 'Infinity', '-Infinity', 'nul', 'True', 'TRUE', 'undefined', 'None', 'truetrue', 'tru\u0435'],
  ...[
    "'x'",
    '"',
    '"\\"',
    '"\\a"',
    '"\\x00"',
    '"\\u00A"',
    '"\\u00G0"',
    '"\\u"',
    '"\\',
    '"\n"',
    '"\t"',
    '"\u001f"',
    '“x”',
  ],
  ...['"\\u\ud83d\udc60"', '"a" "b"', '\\u0022x\\u0022', '`x`'],
  ...[
    '1 // no',
    '/* no */ 1',
    '1 # no',
    '<!-- no --> 1',
    '\u00a01',
    '\u2028 1',
    '\f1',
    '\v1',
    '\uFEFF1',
    '1;',
    '()',
    '[1]\\n',
  ],
];

/** What they leave open, as this contract decides it. */
const OPEN: [string, string][] = [
  ...['1e999', '-1e999', '0.4e00669999999', '9007199254740992', '-9007199254740993', '100000000000000000000'].map(
    refused,
  ),
  ...[`${'9'.repeat(5_000)}`, `-${'1'.repeat(400)}`, '12345678901234567.0'].map(refused),
  ...[
    '"\\uD800"',
    '"\\uDFAA"',
    '"\\uD888\\u1234"',
    '"\\uD800\\uD800\\n"',
    '"\\udd1e\\uD834"',
    '"\\uD800abc"',
    '"\\uD834\\"',
  ].map(refused),
  ...['"\\u0000"', '{"\\u0000":1}', '{"\\ud800":1}', '"\0"', '\0', '[\0]'].map(refused),
];

function refused(json: string): [string, string] {
  return [json, INVALID];
}

/** Texts that broke somebody's program once: as a title they are taken, and kept to the byte. */
export const NAUGHTY_TEXTS = [
  ...[
    'undefined',
    'null',
    'NaN',
    '0',
    '-1',
    '1E+02',
    '0x0',
    '1/0',
    'true',
    '[object Object]',
    '\\',
    '\\\\',
    "'",
    '"',
    "''",
  ],
  ...[
    "'; DROP TABLE ingest_jobs; --",
    "1' OR '1'='1",
    '$1',
    '$$',
    '%s%p%n',
    '%00',
    '{0}',
    '${7*7}',
    '{{7*7}}',
    '<%= 7 %>',
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '&lt;b&gt;',
    ']]>',
    '<!ENTITY x>',
  ],
  ...[
    '../../../../etc/passwd',
    'C:\\con\\aux',
    'file:///etc/passwd',
    '`id`',
    '$(id)',
    '; id',
    '| id',
    '\r\nSet-Cookie: a=b',
  ],
  ...[
    'Ω≈ç√∫˜µ≤≥÷',
    '田中さんにあげて下さい',
    '사회과학원 어학연구소',
    'הָיְתָה',
    'مُنَاقَشَةُ',
    '\u202Etest\u202C',
    '\u200b\u200d\ufeff',
  ],
  ...[
    'ﬁﬂ',
    'İiIı',
    'ß ẞ',
    'Å Å',
    '👾🙇💁🏻‍♀️',
    '🇺🇸🇷🇺🇸',
    '１２３',
    '٠١٢',
    '𝕿𝖍𝖊',
    'Z\u0351\u0352\u0353\u0354algo',
    '\u2028',
    '\u0007\u001b[31m',
    '￾',
  ],
  ...['=1+1', '@SUM(1)', '+cmd|x', '-', '—', '.', '…', '𠜎𠜱', 'x'.repeat(300), '秀'.repeat(300), '👠'.repeat(150)],
];

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const ones = (count: number): string => `[${Array(count).fill('1').join(',')}]`;
const good = showWith('1');
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
/** The good show with these bytes in the middle of a text. */
const within = (...raw: number[]): Buffer => {
  const [front = '', back = ''] = showWith('"|"').split('|');
  return bytes(front, raw, back);
};

/** Whole bodies. */
const WHOLE: [name: string, body: string | Buffer, answer: string][] = [
  ['nothing', '', NOT_JSON],
  ['spaces', ' \r\n\t ', NOT_JSON],
  ['a byte-order mark and nothing', '\uFEFF', NOT_JSON],
  ['one byte-order mark', `\uFEFF${good}`, '202'],
  ['two byte-order marks', `\uFEFF\uFEFF${good}`, NOT_JSON],
  ['a byte-order mark at its end', `${good}\uFEFF`, NOT_JSON],
  ['UTF-16 with a mark', bytes([0xff, 0xfe], [...Buffer.from(good, 'utf16le')]), NOT_UTF8],
  ['UTF-16, the other way round', bytes([0xfe, 0xff], [...Buffer.from(good, 'utf16le').swap16()]), NOT_UTF8],
  ['UTF-16 without a mark', Buffer.from('{"type":"x"}', 'utf16le'), INVALID],
  [
    'UTF-32',
    bytes(
      [0xff, 0xfe, 0, 0],
      [...Buffer.from('{}')].flatMap((byte) => [byte, 0, 0, 0]),
    ),
    NOT_UTF8,
  ],
  ['UTF-7', '+AHs-+ACI-type+ACI-+AH0-', NOT_JSON],
  ['Latin-1', Buffer.from(good, 'latin1'), NOT_UTF8],
  ['GB 18030', within(0xd0, 0xe3), NOT_UTF8],
  ['an overlong slash', within(0xc0, 0xaf), NOT_UTF8],
  ['an overlong NUL', within(0xc0, 0x80), NOT_UTF8],
  ['a surrogate in UTF-8', within(0xed, 0xa0, 0x80), NOT_UTF8],
  ['a letter beyond Unicode', within(0xf4, 0x90, 0x80, 0x80), NOT_UTF8],
  ['five bytes for one letter', within(0xf8, 0x88, 0x80, 0x80, 0x80), NOT_UTF8],
  ['a cut letter', within(0xe7, 0xa7), NOT_UTF8],
  ['a byte that is none', within(0xff), NOT_UTF8],
  ['a lone continuation', within(0x80), NOT_UTF8],
  ['NULs after it', `${good}\0\0`, INVALID],
  ['a second one after it', good + good, NOT_JSON],
  ['a comma after it', `${good},`, NOT_JSON],
  ['its own text as a text', JSON.stringify(good), INVALID],
  ['a list of it', `[${good}]`, INVALID],
  ['a number', '7', INVALID],
  ['a form', 'type=runway.show&data=1', NOT_JSON],
  ['XML', '<?xml version="1.0"?><show/>', NOT_JSON],
  ['YAML', 'type: runway.show\ndata: {}\n', NOT_JSON],
  ['a line of JSON for each show', `${good}\n${good}\n`, NOT_JSON],
  ['what is before a protected answer', `)]}',\n${good}`, NOT_JSON],
  ['32 levels', showWith(deep('[', ']', 29)), '202'],
  ['33 levels', showWith(deep('[', ']', 30)), COMPLEX],
  ['100,000 lists in each other', deep('[', ']', 100_000), COMPLEX],
  ['100,000 lists that are never closed', '['.repeat(100_000), COMPLEX],
  ['100,000 objects in each other', showWith(deep('{"a":', '}', 100_000).replace('}', '1}')), COMPLEX],
  ['500,000 closing brackets', ']'.repeat(500_000), NOT_JSON],
  ['20,000 values', showWith('1', `,"more":${ones(20_000 - OWN_VALUES - 2)}`), '202'],
  ['20,001 values', showWith('1', `,"more":${ones(20_000 - OWN_VALUES - 1)}`), COMPLEX],
  ['a megabyte of spaces', `${good}${' '.repeat(1_048_576 - Buffer.byteLength(good))}`, '202'],
  ['one byte more than a megabyte', `${good}${' '.repeat(1_048_577 - Buffer.byteLength(good))}`, '413 body-too-large'],
  ['a key of 900 KB', showWith('1', `,"${'k'.repeat(900_000)}":1`), '202'],
  ['a text of 900 KB where nobody reads it', showWith('1', `,"more":"${'秀'.repeat(300_000)}"`), '202'],
  ['a season of 900 KB', good.replace('Fall 2026', 'x'.repeat(900_000)), INVALID],
  ['a type of 900 KB', good.replace('runway.show', 'x'.repeat(900_000)), '422 type-unknown'],
  ['a brand of 900 KB', good.replace('Maison Éclair', 'x'.repeat(900_000)), INVALID],
  ['an address of 900 KB', good.replace('/1.jpg', `/${'x'.repeat(900_000)}`), INVALID],
  ['10,000 backslashes', showWith(`"${'\\\\'.repeat(10_000)}"`, '').replace('"extra"', '"spare"'), '202'],
  ['10,000 keys', showWith('1', `,"more":{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`).join()}}`), '202'],
  ['a key twice', showWith('{"a":1,"a":1}'), FORBIDDEN],
  ['a key in two spellings', showWith('{"a":1,"\\u0061":1}'), FORBIDDEN],
  ['its brand twice', showWith('1', ',"brand":"盖娅传说"'), FORBIDDEN],
  ['its type twice', good.replace('{"type"', '{"type":"street.gallery","type"'), FORBIDDEN],
  ['__proto__ beside its members', showWith('1', ',"__proto__":{"brand_id":8}'), FORBIDDEN],
  ['__proto__ as a key of the whole', good.replace('{"type"', '{"__proto__":{"type":"x"},"type"'), FORBIDDEN],
  ['__proto__, escaped', showWith('{"\\u005f_proto\\u005f_":1}'), FORBIDDEN],
  ['constructor.prototype', showWith('{"constructor":{"prototype":{"admin":true}}}'), FORBIDDEN],
  ['a type that every object has', good.replace('runway.show', 'toString'), '422 type-unknown'],
  ['a type that is __proto__', good.replace('runway.show', '__proto__'), '422 type-unknown'],
  ['a type in other letters', good.replace('runway.show', 'Runway.Show'), '422 type-unknown'],
  ['a type in a list', good.replace('"runway.show"', '["runway.show"]'), INVALID],
  ['Type for type', good.replace('"type"', '"Type"'), INVALID],
  ['DATA for data', good.replace('"data"', '"DATA"'), INVALID],
  ['Images for images', good.replace('"images"', '"Images"'), INVALID],
  ['IMAGES beside images', showWith('1', ',"IMAGES":7,"Brand":{"x":1},"brandId":99'), '202'],
  ['a time of year 99999', good.replace('2026-11-30T', '99999-11-30T'), INVALID],
  ['a time on 31 February', good.replace('2026-11-30T', '2026-02-31T'), INVALID],
  ['a brand that is an object', good.replace('"Maison Éclair"', '{"$ne":null}'), INVALID],
  ['a brand that is a list', good.replace('"Maison Éclair"', '["Maison Éclair"]'), INVALID],
  ['images that are an object', good.replace('["https://pictures.example/1.jpg"]', '{"0":"x","length":1}'), INVALID],
  ['images of nothing', good.replace('"https://pictures.example/1.jpg"', 'null,null'), INVALID],
  ['a picture from a file', good.replace('https://pictures.example/1.jpg', 'file:///etc/passwd'), INVALID],
  ['a picture with a password', good.replace('https://', 'https://user:pass@'), INVALID],
  ['a picture that is a script', good.replace('https://pictures.example/1.jpg', 'javascript:alert(1)'), INVALID],
];

export function hostileBodies(): HostileBody[] {
  const shown = (json: string): string => JSON.stringify(json).slice(0, 60);
  return [
    ...VALID.map((json) => ({ name: `valid: ${shown(json)}`, body: showWith(json), answer: '202' })),
    ...NO_JSON.map((json) => ({ name: `no JSON: ${shown(json)}`, body: showWith(json), answer: NOT_JSON })),
    ...OPEN.map(([json, answer]) => ({ name: `either: ${shown(json)}`, body: showWith(json), answer })),
    ...WHOLE.map(([name, body, answer]) => ({ name, body, answer })),
    ...NAUGHTY_TEXTS.map((text) => ({
      name: `title: ${shown(text)}`,
      body: showWith('1', `,"title":${JSON.stringify(text)},"market":${JSON.stringify(text)}`),
      answer: '202',
    })),
  ];
}
