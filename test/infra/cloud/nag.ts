import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import type { Cloud } from './synthesized.ts';

interface Acknowledged {
  path: string;
  rule: string;
  reason: string;
}

const findingsOf = (pack: NagPack, cloud: Cloud) =>
  pack
    .validateScope(cloud.app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({ rule: ruleName, path: constructPath ?? '' })),
    );

/** What the packs would say if nothing were acknowledged. */
const rawFindingsOf = (pack: NagPack, cloud: Cloud) =>
  findingsOf(Object.assign(pack, { isAcknowledged: () => false }), cloud);

const acknowledgedIn = (construct: IConstruct): Acknowledged[] =>
  construct.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) =>
        Object.entries(data as Record<string, string>).map(([id, reason]) => ({
          path: node.path,
          rule: id.replace(/^annotation::/i, ''),
          reason,
        })),
      ),
  );

/** The packs of cdk-nag, and the honesty of what was acknowledged. */
export const nagSentences = (clouds: Record<string, Cloud>): void => {
  describe.each(Object.entries(clouds))('cdk-nag on %s', (_, cloud) => {
    it.each([
      ['AwsSolutions', new AwsSolutionsChecks()],
      ['Serverless', new ServerlessChecks()],
    ])('%s finds nothing', (_name, pack) => {
      expect(findingsOf(pack, cloud)).toEqual([]);
    });

    it('each acknowledgement says why, and silences something at its own resource', () => {
      const raw = [new AwsSolutionsChecks(), new ServerlessChecks()].flatMap((pack) =>
        rawFindingsOf(pack, cloud),
      );
      for (const { path, rule, reason } of acknowledgedIn(cloud.app)) {
        expect(reason.length).toBeGreaterThan(40);
        const silenced = raw.filter((one) => one.rule === rule && `${one.path}/`.startsWith(`${path}/`));
        expect({ path, rule, silenced: silenced.length }).toEqual({ path, rule, silenced: 1 });
      }
    });
  });
};
