/** Painted pictures, the last used ones, up to a number of bytes. Two requests for one picture paint it once. */
export class PictureCache {
  private readonly pictures = new Map<string, Promise<Buffer>>();
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string, paint: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.pictures.get(key);
    if (known) {
      this.pictures.delete(key);
      this.pictures.set(key, known);
      return known;
    }
    const painting = paint();
    this.pictures.set(key, painting);
    painting.then(
      (picture) => this.weigh(key, picture.length),
      () => this.pictures.delete(key),
    );
    return painting;
  }

  private weigh(key: string, bytes: number): void {
    this.sizes.set(key, bytes);
    this.bytes += bytes;
    // Oldest first; one that is still being painted weighs nothing and stays.
    for (const oldest of this.pictures.keys()) {
      if (this.bytes <= this.maxBytes) return;
      const size = this.sizes.get(oldest);
      if (size === undefined) continue;
      this.pictures.delete(oldest);
      this.sizes.delete(oldest);
      this.bytes -= size;
    }
  }
}
