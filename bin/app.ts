/**
 * The CDK app: `npx cdk deploy --all -c stage=<stage>`; see docs/operate.md, "Deploy". Context (`-c`): `stage` (default `dev`;
 * `production` keeps its data), `waf=true` (a web application firewall), `unreserved=true` (for accounts whose Lambda
 * concurrency is too small to reserve some for the authorizer), `dynamodb_endpoint` with the stage `local` (for `sam local
 * invoke` only). Parameters (`--parameters`, remembered by CloudFormation): IdentityIssuer, IdentityAudience,
 * IdentityClientId, IdentityConnection, MailSender, AlarmEmail. The secret `nightlatch/<stage>/identity` holds
 * `client_secret`.
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { makeService } from '../infra/cloud/service.ts';
import { stageOf } from '../infra/cloud/stage.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
makeService(app, stageOf(app.node));
app.synth();
