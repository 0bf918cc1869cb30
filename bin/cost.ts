import { printBill } from '../infra/cost/print-bill.ts';
import { costUsage, readArguments } from '../infra/cost/read-arguments.ts';

/** `npm run cost -- [-c stage=<stage>]`: the bill of a month, from measured units and dated prices. */
try {
  const stage = readArguments(process.argv.slice(2));
  console.log(stage === undefined ? costUsage : printBill(stage));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
