import type { FillBrandsService } from './fill-brands.service.js';

/** `npm run jobs:fill-brands`. @returns the exit code */
export async function runFillBrandsCommand(
  service: FillBrandsService,
  out: { print: (line: string) => void; remark: (line: string) => void },
): Promise<number> {
  const counts = await service.run(({ looked, filled }) =>
    out.remark(`${looked} rows looked at, ${filled} got their brand`),
  );
  out.print(
    `${counts.filled} rows got their brand, ${counts.brandless} are street style, ${counts.unknown.length} have none:`,
  );
  for (const { id, why } of counts.unknown) out.print(`  job ${id}: ${why}`);
  return 0;
}
