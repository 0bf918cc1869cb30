import { parseArgs } from 'node:util';
import { playJourney } from '../infra/release/journey.ts';

/**
 * `API_KEY=… npm run journey -- --api <address> [--commit <sha>]`: books and cancels a night at a deployed service, as a partner from
 * outside. Exit status 1 if anything is not as documented.
 */
const { values } = parseArgs({ options: { api: { type: 'string' }, commit: { type: 'string' } } });
const apiKey = process.env['API_KEY'];
if (values.api === undefined || apiKey === undefined || apiKey === '') {
  console.error('Usage: API_KEY=… npm run journey -- --api <address> [--commit <sha>]');
  process.exitCode = 1;
} else {
  try {
    await playJourney({ api: values.api, apiKey, commit: values.commit, log: (line) => console.log(line) });
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
