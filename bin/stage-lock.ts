import { parseArgs } from 'node:util';
import { writeLock } from '../infra/cloud/write-lock.ts';

/**
 * `npm run stage:lock -- <stage>`: records in `stages/<stage>.lock.json` what the stage has, so that synthesis refuses to lose
 * it. `--give-up <field>` records a loss that is meant.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'give-up': { type: 'string', multiple: true, default: [] } },
});
const [name] = positionals;
if (name === undefined || positionals.length > 1) {
  console.error('Usage: npm run stage:lock -- <stage> [--give-up <field>]');
  process.exitCode = 1;
} else {
  try {
    console.log(writeLock(name, values['give-up']));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
