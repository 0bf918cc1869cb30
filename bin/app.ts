/**
 * The CDK app: `npx cdk deploy --all -c stage=<stage>` deploys what `stages/<stage>.json` describes; see docs/operate.md,
 * "Deploy". The default stage is `dev`; the stage `local` is for `sam local invoke` alone.
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { makeService } from '../infra/cloud/service.ts';
import { stageOf } from '../infra/cloud/stage.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
makeService(app, stageOf(app.node));
app.synth();
