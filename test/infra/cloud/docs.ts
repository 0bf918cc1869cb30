import { describe, expect, it } from 'vitest';
import { readStageFile, StageFile } from '../../../infra/cloud/stage-file.ts';
import { blocksOf, textOf } from '../../support/docs.ts';
import type { Cloud } from './synthesized.ts';

const page = 'docs/operate.md';

/** What the page about operating says of the cloud, held against the stacks: its commands are not run. */
export const docsSentences = (cloud: Cloud): void => {
  describe('the page about operating', () => {
    const commands = blocksOf(page).filter(({ needs }) => needs !== undefined);
    it('gives the stacks nothing but the name of their stage', () => {
      const given = commands.flatMap(({ sh }) => [...sh.matchAll(/cdk (?:deploy|synth)[^\n]*/g)]);
      expect(given.length).toBeGreaterThan(1);
      for (const [line] of given) {
        expect(line).not.toContain('--parameters');
        const names = [...line.matchAll(/ -c (\w+)=/g)].map(([, name]) => name);
        expect(names.filter((name) => name !== 'stage')).toEqual([]);
      }
      for (const template of Object.values(cloud.templates))
        expect(Object.keys(template['Parameters'] ?? {})).toEqual(['BootstrapVersion']);
    });

    it('explains every field of a stage file, and no other', () => {
      const [table = ''] = /\| field \| meaning \|[\s\S]*?\n\n/.exec(textOf(page)) ?? [];
      const explained = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
      );
      expect(explained.sort()).toEqual(
        Object.keys(StageFile.shape)
          .filter((name) => name !== '$schema')
          .sort(),
      );
    });

    it('shows a stage file that is right', () => {
      const [, text = ''] = /```json\n(\{\n {2}"\$schema"[\s\S]*?\n)```/.exec(textOf(page)) ?? [];
      expect(readStageFile('the example', text).payment.gateway).toBe('stripe');
    });
  });
};
