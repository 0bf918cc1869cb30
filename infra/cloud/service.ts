import { type App, Tags } from 'aws-cdk-lib';
import { routeGroups } from '../../functions/routes.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import type { Stage } from './stage.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { BoardStack } from './stacks/board-stack.ts';
import { edgeRegion } from './stage-file.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { EventsStack } from './stacks/events-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { ReleaseStack } from './stacks/release-stack.ts';

/** The stacks of a stage. */
interface Service {
  data: DataStack;
  api: ApiStack;
  events: EventsStack;
  observability: ObservabilityStack;
  /** Of a stage with CloudFront. */
  edge?: EdgeStack;
  /** Of a stage with the board. */
  board?: BoardStack;
  /** Of a stage that GitHub Actions deploys. */
  release?: ReleaseStack;
}

const consumers = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);

const foldersOf = (stage: Stage): string[] => [
  'authorizer',
  ...routeGroups.map(({ group }) => group),
  'workers/publisher',
  ...consumers.map((consumer) => `workers/${consumer}`),
  ...schedules.map(({ name }) => `schedules/${name}`),
  ...(stage.canary ? ['schedules/canary'] : []),
];

/** Creates the stacks of one stage from routes, entities and subscriptions. */
export const makeService = (app: App, stage: Stage): Service => {
  const props = (what: string) => ({
    stackName: `nightlatch-${stage.name}-${what}`,
    description: `Nightlatch ${stage.name}: ${what}.`,
    terminationProtection: stage.keepsData,
    // CloudFormation takes 1 MB of template.
    suppressTemplateIndentation: true,
    env: { region: stage.region, ...(stage.account === undefined ? {} : { account: stage.account }) },
    stage,
  });
  const name = (what: string) => `nightlatch-${stage.name}-${what}`;
  const observability = new ObservabilityStack(app, name('observability'), {
    ...props('observability'),
    functions: foldersOf(stage),
    consumers,
  });
  const data = new DataStack(app, name('data'), props('data'));
  const api = new ApiStack(app, name('api'), {
    ...props('api'),
    groups: routeGroups,
    dataKeys: data.dataKeys,
  });
  const events = new EventsStack(app, name('events'), {
    ...props('events'),
    table: data.table,
    dataKeys: data.dataKeys,
    subscriptions,
    workQueues,
    schedules,
  });
  const { domain } = stage;
  const edge = domain?.cloudfront
    ? {
        edge: new EdgeStack(app, name('edge'), {
          ...props('edge'),
          env: { ...props('edge').env, region: edgeRegion },
          ...{ domain, cloudfront: domain.cloudfront, groups: routeGroups },
        }),
      }
    : {};
  const board =
    stage.board &&
    new BoardStack(app, name('board'), { ...props('board'), board: stage.board, apiUrl: api.url });
  const { repository } = stage.release;
  const release =
    repository === undefined
      ? {}
      : { release: new ReleaseStack(app, name('release'), { ...props('release'), repository }) };
  data.addStackDependency(observability);
  events.addStackDependency(data);
  // What a new version of the API publishes has its rules and consumers already.
  api.addStackDependency(events);
  // What a new version of the board calls is there already.
  board?.addStackDependency(api);
  Tags.of(app).add('service', 'nightlatch');
  Tags.of(app).add('stage', stage.name);
  return { data, api, events, observability, ...edge, ...(board ? { board } : {}), ...release };
};
