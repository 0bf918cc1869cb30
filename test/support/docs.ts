import { readdirSync, readFileSync } from 'node:fs';

export const projectFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);

const markdownOf = (folder: string): string[] =>
  readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'));

/** Every written page, relative to the project's root. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  ...['docs', 'functions', 'infra', 'shared', 'test/prove', 'test/support'].flatMap((folder) =>
    markdownOf(folder).sort(),
  ),
];

export const textOf = (page: string): string => readFileSync(projectFile(page), 'utf8');

/** Returns a page without code blocks. */
export const proseOf = (page: string): string => textOf(page).replaceAll(/^```[\s\S]*?^```$/gm, '');

/** A block of commands of a page. */
export interface Block {
  page: string;
  heading: string;
  /** What it needs besides `npm start`, as the line above it says: `*Needs …*`. */
  needs: string | undefined;
  sh: string;
}

/** Returns the command blocks of a page, from top to bottom. */
export const blocksOf = (page: string): Block[] =>
  textOf(page)
    .split(/^(?=#{1,3} )/m)
    .flatMap((chapter) => {
      const heading = chapter.slice(0, chapter.indexOf('\n')).replace(/^#+ /, '');
      return [...chapter.matchAll(/(?:^[*_](Needs .+)[*_]\n\n)?^```sh\n([\s\S]*?)^```$/gm)].map(
        ([, needs, sh = '']) => ({ page, heading, needs, sh }),
      );
    });

const toolLine = /^(npm (start|test)|npm run [\w:-]+|npx vitest run( \S+)+)$/;

/** Returns whether a block only runs the project's own tools, which also start the tests. */
export const isTooling = ({ sh }: Block): boolean =>
  sh
    .trim()
    .split('\n')
    .every((line) => toolLine.test(line));
