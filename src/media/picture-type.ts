/** The formats that are kept. SVG is a document that runs, not a picture, and is never one of them. */
export const PICTURE_TYPES = {
  'image/jpeg': { ext: 'jpg', decoder: 'jpeg' },
  'image/png': { ext: 'png', decoder: 'png' },
  'image/webp': { ext: 'webp', decoder: 'webp' },
  'image/avif': { ext: 'avif', decoder: 'heif' },
  'image/gif': { ext: 'gif', decoder: 'gif' },
} as const;

export type PictureType = keyof typeof PICTURE_TYPES;

export function isPictureType(mime: string): mime is PictureType {
  return Object.hasOwn(PICTURE_TYPES, mime);
}

/** By the extension that the proof gave; a browser shows nothing of any other. */
export function contentTypeOf(name: string): string {
  const ext = name.slice(name.lastIndexOf('.') + 1);
  const found = Object.entries(PICTURE_TYPES).find(([, type]) => type.ext === ext);
  return found?.[0] ?? 'application/octet-stream';
}
