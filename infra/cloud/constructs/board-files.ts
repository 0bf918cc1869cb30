import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildBoard, embedFor, embedName } from '../../board/build.ts';
import { bundles } from './function-code.ts';

/** Files of the board that a browser keeps equally long. */
interface BoardClass {
  cacheControl: string;
  folder: string;
}

/** The board is built once for all stages, when this is loaded: constructs cannot wait for it. */
const files = await buildBoard();

const writeClass = (name: string, ofClass: (cacheControl: string) => boolean): BoardClass => {
  const folder = join(bundles, 'board', name);
  const found = [...files].filter(([file, { cacheControl }]) => file !== embedName && ofClass(cacheControl));
  for (const [file, { body }] of found) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), body);
  }
  return { cacheControl: found[0]?.[1].cacheControl ?? '', folder };
};

/** Files whose names carry their hash: a name never changes what it names. */
export const hashedFiles = writeClass('hashed', (cacheControl) => cacheControl !== 'no-cache');

/** Files that a browser asks about each time. */
export const namedFiles = writeClass('named', (cacheControl) => cacheControl === 'no-cache');

/** The script for pages of hosts, which knows the API of its stage. */
export const embedOf = (api_url: string): string => {
  const embed = files.get(embedName);
  return embed ? embedFor(api_url, embed) : '';
};
