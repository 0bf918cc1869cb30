import { execFileSync } from 'node:child_process';
import { projectRoot } from './bundling.ts';

/** Returns the git commit that is deployed, with `-dirty` if files differ from it; undefined outside a git work tree. */
const commitOf = (root: string = projectRoot): string | undefined => {
  try {
    const described = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    return described.trim();
  } catch {
    return undefined;
  }
};

/** Returns the variables of the function that says what is deployed: of it alone, so that a commit changes no other function. */
export const commitVariables = (commit: string | undefined = commitOf()): { SERVICE_COMMIT?: string } =>
  commit === undefined ? {} : { SERVICE_COMMIT: commit };
