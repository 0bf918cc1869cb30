import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The emulator of AWS, and the linter that knows the schema of every resource: both MIT, by others. */
const packages = ['ministack==1.5.33', 'cfn-lint==1.58.0'];

/**
 * Installs emulator and linter into a folder, once, and returns the folder of their programs. Throws an error that says what the
 * machine lacks.
 */
export const installTools = async (folder: string): Promise<string> => {
  const home = join(folder, packages.join('-').replaceAll('==', '-'));
  const programs = join(home, 'bin');
  const ready = join(home, 'installed');
  if (existsSync(ready)) return programs;
  for (const candidate of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'])
    try {
      await run(candidate, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
      await run(candidate, ['-m', 'venv', home]);
      await run(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', ...packages], {
        timeout: 300_000,
      });
      await run('touch', [ready]);
      return programs;
    } catch (cause) {
      const { stderr } = cause as { stderr?: string };
      if (stderr?.includes('pip'))
        throw new Error(`${packages.join(' ')} cannot be installed: ${stderr}`, { cause });
    }
  throw new Error('The rehearsal needs Python 3.10 or newer, with venv and pip, and PyPI within reach.');
};
