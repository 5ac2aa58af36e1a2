// Encoded control characters stay encoded: an identity is stored as text, and a column cannot hold NUL.
const ENCODED = /(?:%[89A-F][0-9A-F]|%[2-6][0-9A-F]|%7[0-9A-E])+/gi;
const TIMES_DECODED = 2;

/** Condé Nast's servers: the photo's id, then whatever crop and width was asked for. */
const PHOTO_ID = /^(\/photos\/[0-9a-f]{24})(?:\/|$)/i;
const VOGUE_PHOTO_ID = /^(\/photos\/[^/]+)(?:\/|$)/;
/** WordPress: `name-1024x683.jpg` is a smaller `name.jpg`. */
const WORDPRESS_SIZE = /-\d+x\d+(?=\.[a-z0-9]+$)/i;
/** vogue.com.cn: `name.jpg.600X900.jpg` is a smaller `name.jpg`, and so is `name.600X900.jpg`. */
const VOGUE_CN_SIZE = /\.\d+X\d+(\.[a-z0-9]+)$/i;
const PICTURE_EXTENSION = /\.(?:jpe?g|png|webp|avif|gif)$/i;

/**
 * What makes two URLs the same photo: its source id, not the size, crop, scheme or tracking that it is asked for with.
 * It is for comparing only; what is fetched is the URL as it was sent. Text that is no URL is its own identity.
 */
export function pictureIdentity(url: string): string {
  const text = url.trim();
  if (!URL.canParse(text)) return text;
  const { host, pathname } = new URL(text);
  const server = host.toLowerCase().replace(/\.(?=$|:)/, '');
  return server + withoutSize(server, decoded(pathname).replace(/\/{2,}/g, '/'));
}

function withoutSize(server: string, path: string): string {
  const photo = (server === 'assets.vogue.com' ? VOGUE_PHOTO_ID : PHOTO_ID).exec(path);
  if (photo?.[1] !== undefined) return photo[1];
  if (server === 'vogue.com.cn' || server.endsWith('.vogue.com.cn')) {
    const original = path.replace(VOGUE_CN_SIZE, '');
    // The second spelling would otherwise lose its only extension, and differ from the photo that it is a size of.
    if (original !== path) return PICTURE_EXTENSION.test(original) ? original : path.replace(VOGUE_CN_SIZE, '$1');
  }
  return path.replace(WORDPRESS_SIZE, '');
}

/** Some crawlers encode once more than they should; more than twice is somebody's file name. */
function decoded(path: string): string {
  let text = path;
  for (let times = 0; times < TIMES_DECODED; times++) text = text.replace(ENCODED, decodedOrAsItIs);
  return text;
}

function decodedOrAsItIs(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
