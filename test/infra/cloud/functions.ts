import { describe, expect, it } from 'vitest';
import { functionSources } from '../../../infra/bundling.ts';
import { longestRunMs } from '../../../shared/platform/due/index.ts';
import { schedules } from '../../../shared/schedules.ts';
import { type Cloud, target } from './synthesized.ts';

interface FunctionProperties {
  FunctionName: string;
  Architectures: string[];
  Runtime: string;
  MemorySize: number;
  Timeout: number;
  TracingConfig: { Mode: string };
  LoggingConfig: { LogFormat: string; LogGroup: unknown };
  Environment: { Variables: Record<string, unknown> };
  Role: unknown;
  ReservedConcurrentExecutions?: number;
}

/** What holds for every Lambda. */
export const functionSentences = (cloud: Cloud, production: Cloud): void => {
  const functions = cloud.all<FunctionProperties>('AWS::Lambda::Function');

  describe('every function', () => {
    it('of the folder functions/ is deployed, and no other; the canary where its stage has one', () => {
      const deployed = (of: Cloud) =>
        of
          .all<FunctionProperties>('AWS::Lambda::Function')
          .map(({ properties }) => properties.FunctionName.replace(`nightlatch-${of.stage.name}-`, ''))
          .sort();
      const wanted = functionSources()
        .map(({ name }) => name.split('/').at(-1))
        .sort();
      expect(deployed(production)).toEqual(wanted);
      expect(deployed(cloud)).toEqual(wanted.filter((name) => name !== 'canary'));
    });

    it('runs on arm64 and Node 24', () => {
      for (const { properties } of functions)
        expect(properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    });

    it('says how much memory and time it has, less than the gateway waits for', () => {
      for (const { properties } of functions) {
        expect(properties.MemorySize).toBeGreaterThanOrEqual(512);
        expect(properties.Timeout).toBeLessThanOrEqual(240);
      }
      for (const { properties } of functions.filter(({ stack }) => stack === 'api'))
        expect(properties.Timeout).toBeLessThan(29);
    });

    it('is traced', () => {
      for (const { properties } of functions) expect(properties.TracingConfig).toEqual({ Mode: 'Active' });
    });

    it('writes JSON into a log group of its own, which forgets', () => {
      const groups = cloud.all<{ RetentionInDays?: number }>('AWS::Logs::LogGroup');
      const used = functions.map(({ properties }) => target(properties.LoggingConfig.LogGroup));
      expect(new Set(used).size).toBe(functions.length);
      for (const { properties } of functions) expect(properties.LoggingConfig.LogFormat).toBe('JSON');
      for (const { properties } of groups) expect(properties.RetentionInDays).toBeGreaterThan(0);
    });

    it('has a role of its own', () => {
      const roles = functions.map(({ properties }) => target(properties.Role));
      expect(new Set(roles).size).toBe(functions.length);
    });

    it('that works off a list ends its run long before its time is over', () => {
      // A question at a gateway takes 10 seconds at most, and is repeated once by its SDK.
      const lastCalls = 40_000;
      for (const { name } of schedules.filter(({ drainsDueList }) => drainsDueList)) {
        const found = functions.find(
          ({ properties }) => properties.FunctionName === `nightlatch-dev-${name}`,
        );
        expect((found?.properties.Timeout ?? 0) * 1000).toBeGreaterThanOrEqual(longestRunMs + lastCalls);
      }
    });

    it('of the API has the settings of its stage', () => {
      const settingsIn = (of: Cloud) =>
        of
          .all<FunctionProperties>('AWS::Lambda::Function')
          .filter(
            ({ stack, properties }) =>
              stack === 'api' && !/-(authorizer|canary)$/.test(properties.FunctionName),
          )
          .map(({ properties }) => properties.Environment.Variables['SOFT_LOCK_MINUTES']);
      expect(settingsIn(production).length).toBeGreaterThan(10);
      expect(new Set(settingsIn(production))).toEqual(new Set(['20']));
      expect(new Set(settingsIn(cloud))).toEqual(new Set([undefined]));
    });

    it('has no secret in its environment, only where it reads it', () => {
      for (const of of [cloud, production])
        for (const { properties } of of.all<FunctionProperties>('AWS::Lambda::Function'))
          for (const [name, value] of Object.entries(properties.Environment.Variables)) {
            expect(JSON.stringify(value)).not.toContain('{{resolve:');
            if (/SECRET|PASSWORD|TOKEN/.test(name)) expect(name).toMatch(/_ARN$/);
          }
    });
  });

  it('production keeps instances free for the authorizer and for reports of payments; other stages reserve nothing', () => {
    const reserved = (of: Cloud) =>
      of
        .all<FunctionProperties>('AWS::Lambda::Function')
        .filter(({ properties }) => properties.ReservedConcurrentExecutions !== undefined)
        .map(({ properties }) => `${properties.FunctionName} ${properties.ReservedConcurrentExecutions}`)
        .sort();
    expect(reserved(production)).toEqual([
      'nightlatch-production-authorizer 100',
      'nightlatch-production-payments 10',
    ]);
    expect(reserved(cloud)).toEqual([]);
  });
};
