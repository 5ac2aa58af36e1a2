/**
 * A host of pictures to try a crawler with: every address under it is a picture of its own. Not for copying: it is the demo's,
 * so it runs in this project once that is built, which `npm start` does.
 *
 *     node examples/crawlers/pictures.mjs [port]
 */
import { startPictureOrigin } from '../../dist/examples/demo/picture-origin.js';

const origin = await startPictureOrigin({ port: Number(process.argv[2] ?? 8093) });
console.log(
  `Pictures at ${origin.url('/anything.jpg')}; archives may fetch them with MEDIA_ALLOWED_PRIVATE_HOSTS=${origin.host}`,
);
