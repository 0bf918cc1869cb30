import { Arn, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Function,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { dataKeyStatement, dataKeyVariables, declaredForSam, secretStatements } from '../environment.ts';
import { grantOf } from '../grants.ts';
import { tableStatements } from '../table-policy.ts';
import { resourceName, type Stage } from '../stage.ts';
import { functionCode } from './function-code.ts';

interface ServiceFunctionProps {
  stage: Stage;
  /** Its folder below `functions/`, whose `index.ts` exports `handler`. */
  folder: string;
  description: string;
  environment: Record<string, string>;
  timeout: Duration;
  memoryMb?: number;
  reservedConcurrency?: number | undefined;
  /** The keys of what is encrypted in the table, of a function that shows or sends it. */
  dataKeys?: readonly IKey[];
  /** It is invoked by a timer, so no caller waits for it and the next run follows by itself. */
  runsByTimer?: boolean;
}

/** Returns the name of a function: the last part of its folder. */
export const functionName = (stage: Stage, folder: string): string =>
  resourceName(stage, folder.slice(folder.lastIndexOf('/') + 1));

/**
 * A Lambda function: its bundle, role and log group. Permissions are named action by action; only X-Ray's have a wildcard
 * resource, because they support no other. It has no alarm of its own: what its failure does to users has.
 */
export class ServiceFunction extends Construct {
  readonly function: Function;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { stage, folder } = props;
    const dataKeys = grantOf(folder).sealed ? props.dataKeys : undefined;
    const name = functionName(stage, folder);
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${name}`,
      retention: stage.logs.days,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.function = new Function(this, 'Function', {
      functionName: name,
      description: props.description,
      code: functionCode(folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb ?? 1024,
      timeout: props.timeout,
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[stage.logs.level],
      systemLogLevelV2: SystemLogLevel.INFO,
      environment: {
        ...(stage.isLocal ? declaredForSam : {}),
        ...props.environment,
        ...(dataKeys ? dataKeyVariables(stage, dataKeys) : {}),
      },
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
    });
    // The next run does the work of a failed one; an immediate retry would fail again.
    if (props.runsByTimer)
      this.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(5) });
    this.allow(...secretStatements(stage, grantOf(folder)));
    if (dataKeys) this.allow(dataKeyStatement(dataKeys));
    this.allow(...tableStatements(folder, this.#tableArn(stage)).map((one) => new PolicyStatement(one)));
    this.#acknowledge(role, props.runsByTimer ?? false);
  }

  /** Adds permissions. */
  allow(...statements: PolicyStatement[]): void {
    for (const statement of statements) this.function.addToRolePolicy(statement);
  }

  /** Made from its name, so that stacks do not depend on each other. */
  #tableArn(stage: Stage): string {
    const table = { service: 'dynamodb', resource: 'table', resourceName: stage.tableName };
    return Arn.format(table, Stack.of(this));
  }

  #acknowledge(role: Role, runsByTimer: boolean): void {
    const xray = 'X-Ray takes its segments without an address: the action knows no narrower resource.';
    const missed =
      'A run that failed leaves its work to the next one, a period later; an alarm counts the runs that succeed.';
    const awaited =
      'It is never invoked asynchronously: the gateway waits for its answer, or a poller keeps the message.';
    Validations.of(role).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: xray });
    if (runsByTimer)
      Validations.of(this.function).acknowledge({
        id: 'Serverless-LambdaAsyncFailureDestination',
        reason: missed,
      });
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: runsByTimer ? missed : awaited,
    });
  }
}
