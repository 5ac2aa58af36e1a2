/**
 * The key that two spellings of one name share: compatibility forms taken apart, marks off, lower case, and of what is
 * left the letters and digits of any script. In TypeScript and not in SQL, where the server's locale would decide.
 * @returns undefined for a text without any letter or digit, which names nothing
 */
export function aliasKey(text: string): string | undefined {
  const key = folded(text).replace(/[^\p{L}\p{N}]+/gu, '');
  return key === '' ? undefined : key;
}

/**
 * A name as part of an address: the alias key with a dash where other characters stood.
 * @returns undefined for a text without any letter or digit
 */
export function slugOf(name: string): string | undefined {
  const slug = folded(name)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : slug;
}

/**
 * Lower-casing may compose nothing but can bring marks (İ becomes i and a dot), and taking apart can bring capitals
 * (℡ is TEL): so it is done in this order, and once more, until nothing changes. A sigma at a word's end is a sigma.
 */
function folded(text: string): string {
  const once = text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ς/g, 'σ');
  return once === text ? once : folded(once);
}
