import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { makeService } from '../../../infra/cloud/service.ts';
import type { Stage } from '../../../infra/cloud/stage.ts';
import { devStage } from './stages.ts';

type Json = Record<string, unknown>;

/** A resource of a template, with the stack it stands in. */
interface Found<Properties = Json> {
  id: string;
  stack: string;
  properties: Properties;
  deletionPolicy: string | undefined;
}

export interface Cloud {
  app: App;
  stage: Stage;
  templates: Record<string, Json>;
  /** All resources of a type, over all stacks. */
  all: <Properties = Json>(type: string) => Found<Properties>[];
}

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8')) as {
  context: Json;
};

/** The stacks of a stage as `npm run synth` makes them, bundles included. */
export const synthesize = (stage: Stage = devStage): Cloud => {
  const outdir = mkdtempSync(join(tmpdir(), 'nightlatch-synth-'));
  const app = new App({ context, outdir, analyticsReporting: false });
  const templates = Object.fromEntries(
    Object.entries(makeService(app, stage)).map(([name, stack]) => [
      name,
      Template.fromStack(stack as never).toJSON(),
    ]),
  );
  const all = (type: string) =>
    Object.entries(templates).flatMap(([stack, template]) =>
      Object.entries((template['Resources'] ?? {}) as Record<string, Json>)
        .filter(([, resource]) => resource['Type'] === type)
        .map(([id, resource]) => ({
          id,
          stack,
          properties: (resource['Properties'] ?? {}) as Json,
          deletionPolicy: resource['DeletionPolicy'] as string | undefined,
        })),
    );
  return { app, stage, templates, all: all as Cloud['all'] };
};

/** The logical id that a reference of a template points at. */
export const target = (reference: unknown): string | undefined => {
  if (typeof reference !== 'object' || reference === null) return undefined;
  const { Ref, 'Fn::GetAtt': attribute } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0];
};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
