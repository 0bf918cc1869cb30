import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Schedule } from '../../../shared/schedules.ts';
import { resourceName, type Stage } from '../stage.ts';
import type { ServiceFunction } from './service-function.ts';

interface TimerProps {
  stage: Stage;
  schedule: Pick<Schedule, 'name' | 'everyMinutes'>;
  called: ServiceFunction;
}

/** Invokes a function at its rate. A failed run is not retried: the next one does its work. */
export class Timer extends Construct {
  constructor(scope: Construct, id: string, { stage, schedule, called }: TimerProps) {
    super(scope, id);
    const { name, everyMinutes } = schedule;
    const { functionArn } = called.function;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({ sid: 'Call', actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
    const timer = new CfnSchedule(this, 'Schedule', {
      name: resourceName(stage, name),
      description: `Runs ${name} every ${everyMinutes === 1 ? 'minute' : `${everyMinutes} minutes`}.`,
      scheduleExpression: `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: functionArn,
        roleArn: role.roleArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
    timer.node.addDependency(role);
  }
}
