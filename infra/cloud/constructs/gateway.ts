import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import { gatewayDocument } from '../../../shared/platform/http/gateway-document.ts';
import type { RouteGroup } from '../../../shared/platform/http/route.ts';
import { systemRoutes } from '../../../functions/system/routes.ts';
import { serviceVersion } from '../../bundling.ts';
import { resourceName, type Stage } from '../stage.ts';
import { Firewall, gatewayRules } from './firewall.ts';
import { watchGateway } from './gateway-alarms.ts';
import { openMethods } from './open-methods.ts';

interface GatewayProps {
  stage: Stage;
  groups: readonly RouteGroup[];
  /** The function of a group, or the authorizer. */
  calledFor: (folder: string) => Alias;
}

/**
 * One line for each request; the caller is the authorizer's principal, never a token or a key. The path has ids, and the secret
 * of an invitation, which opens nothing without the account of its address: all else that is secret or personal is in headers,
 * bodies and query parameters.
 */
const accessLine = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  stage: '$context.stage',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  caller: '$context.authorizer.principalId',
  address: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  latency_ms: '$context.responseLatency',
  function_ms: '$context.integrationLatency',
  bytes: '$context.responseLength',
  refusal: '$context.error.responseType',
  error: '$context.error.message',
  trace: '$context.xrayTraceId',
};

/** The REST API, whose body is the route table; only this API may invoke the functions. */
export class Gateway extends Construct {
  readonly api: SpecRestApi;
  /** Those that stop a release. */
  readonly releaseAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { stage, groups, calledFor }: GatewayProps) {
    super(scope, id);
    const accessLog = this.#log('AccessLog', stage, `/nightlatch/${stage.name}/access`);
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: resourceName(stage),
      description: 'Nightlatch: lodging that cannot be double-booked.',
      apiDefinition: ApiDefinition.fromInline(
        gatewayDocument({
          groups,
          integrationUri: (group) => this.#invocationUri(calledFor(group)),
          unknownPathGroup: systemRoutes.group,
          authorizerUri: this.#invocationUri(calledFor('authorizer')),
          origins: stage.origins,
          behindEdge: stage.domain?.cloudfront !== undefined,
          title: resourceName(stage),
          version: serviceVersion(),
        }),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: stage.name,
        throttlingRateLimit: stage.requests.per_second,
        throttlingBurstLimit: stage.requests.burst,
        methodOptions: openMethods(groups, stage),
        tracingEnabled: true,
        // Those of each method are custom metrics, and paid; alarms and dashboard read those of the stage.
        metricsEnabled: false,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLine)),
      },
    });
    const executionLog = this.#log(
      'ExecutionLog',
      stage,
      `API-Gateway-Execution-Logs_${this.api.restApiId}/${stage.name}`,
    );
    this.api.deploymentStage.node.addDependency(executionLog);
    for (const { group } of groups)
      this.#permit(`Call-${group}`, calledFor(group), this.api.arnForExecuteApi('*', '/*', stage.name));
    this.#permit('Call-authorizer', calledFor('authorizer'), this.#arn('authorizers/*'));
    if (stage.waf)
      new Firewall(this, 'Firewall', { stage, rules: gatewayRules(stage), stageArn: this.#stageArn() });
    this.releaseAlarms = watchGateway(this, stage, { accessLog, groups });
    this.#acknowledge(stage);
  }

  #log(id: string, stage: Stage, logGroupName: string): LogGroup {
    return new LogGroup(this, id, {
      logGroupName,
      retention: stage.logs.days,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  #invocationUri(called: Alias): string {
    const { partition, region } = Stack.of(this);
    const service = `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions`;
    return `${service}/${called.functionArn}/invocations`;
  }

  #permit(id: string, called: Alias, sourceArn: string): void {
    called.addPermission(id, { principal: new ServicePrincipal('apigateway.amazonaws.com'), sourceArn });
  }

  #arn(resourceName: string): string {
    return Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.api.restApiId,
      resourceName,
    });
  }

  #stageArn(): string {
    const { partition, region } = Stack.of(this);
    return `arn:${partition}:apigateway:${region}::/restapis/${this.api.restApiId}/stages/${this.api.deploymentStage.stageName}`;
  }

  #acknowledge(stage: Stage): void {
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG2',
      reason: 'Each request is validated against its row by the function, which names every problem at once.',
    });
    if (!stage.waf)
      Validations.of(this.api.deploymentStage).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason:
          'The stage file says `"waf": false`, or the stage is disposable: the firewall costs by the month.',
      });
    const account: IConstruct | undefined = this.api.node.tryFindChild('CloudWatchRole');
    if (account)
      Validations.of(account).acknowledge({
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason:
          "API Gateway writes all logs of the account through one role; this is AWS's own policy for it.",
      });
  }
}
