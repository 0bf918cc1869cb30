import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { mailConfigurationSet } from '../environment.ts';
import type { AlarmName } from '../impacts.ts';
import type { Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

/**
 * How mail is sent: over TLS, never again to an address that bounced or complained, with an alarm well below the rates at which
 * SES reviews an account.
 */
export class MailSending extends Construct {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    super(scope, id);
    this.#stage = stage;
    new CfnConfigurationSet(this, 'Set', {
      name: mailConfigurationSet(stage),
      deliveryOptions: { tlsPolicy: 'REQUIRE' },
      reputationOptions: { reputationMetricsEnabled: true },
      suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    this.#watch('mail-bounces', 'Reputation.BounceRate', 0.05);
    this.#watch('mail-complaints', 'Reputation.ComplaintRate', 0.001);
  }

  /** Returns the permission to send mail from the sender, whether SES has verified the address or its domain. */
  permission(): PolicyStatement {
    const { mail_sender: sender } = this.#stage;
    const arn = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
    return new PolicyStatement({
      sid: 'MailOfTheSender',
      actions: ['ses:SendEmail'],
      resources: [
        arn('identity', sender),
        arn('identity', sender.slice(sender.indexOf('@') + 1)),
        arn('configuration-set', mailConfigurationSet(this.#stage)),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': sender } },
    });
  }

  #watch(name: AlarmName, metricName: string, threshold: number): void {
    new ImpactAlarm(this, metricName, {
      stage: this.#stage,
      name,
      metric: new Metric({
        namespace: 'AWS/SES',
        metricName,
        dimensionsMap: { 'ses:configuration-set': mailConfigurationSet(this.#stage) },
        statistic: 'Maximum',
        period: Duration.hours(1),
      }),
      threshold,
      // SES reports a rate when it changes.
      keepsState: true,
    });
  }
}
