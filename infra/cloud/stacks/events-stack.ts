import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { eventSource } from '../../../shared/platform/events/event-message.ts';
import { queueUrlVariable, type Schedule, type WorkQueue } from '../../../shared/schedules.ts';
import type { Subscription } from '../../../shared/subscriptions.ts';
import { ConsumerQueue } from '../constructs/consumer-queue.ts';
import { MailSending } from '../constructs/mail-sending.ts';
import { MetricAlarms } from '../constructs/metric-alarms.ts';
import { FanOut } from '../constructs/fan-out.ts';
import { Outbox } from '../constructs/outbox.ts';
import { QueueAlarms } from '../constructs/queue-alarms.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { Timer } from '../constructs/timer.ts';
import { mailVariables, paymentVariables, serviceVariables } from '../environment.ts';
import { grantOf } from '../grants.ts';
import { resourceName, type Stage } from '../stage.ts';

interface EventsStackProps extends StackProps {
  stage: Stage;
  table: TableV2;
  dataKeys: readonly IKey[];
  subscriptions: readonly Subscription[];
  workQueues: readonly WorkQueue[];
  schedules: readonly Schedule[];
}

const maxNamedTypes = 6;

const descriptionOf = ({ event_types }: Subscription): string =>
  event_types.length > maxNamedTypes
    ? `Handles ${event_types.length} types of events.`
    : `Handles ${event_types.join(', ')}.`;

/** The table's stream to the bus, a queue and a worker for each consumer, and the schedules. */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, props);
    const { stage, subscriptions, dataKeys } = props;
    const bus = new EventBus(this, 'Bus', { eventBusName: resourceName(stage) });
    bus.archive('Archive', {
      archiveName: resourceName(stage),
      description: 'Every event of the last 30 days, to be replayed to a consumer that missed them.',
      eventPattern: { source: [eventSource] },
      retention: Duration.days(30),
    });
    // A restored table is named to the letter, so that this stack moves to it before the data stack lets go of the other.
    const streamArn = stage.table.stream_arn ?? props.table.tableStreamArn ?? '';
    new Outbox(this, 'Outbox', { stage, bus, streamArn });
    const mail = new MailSending(this, 'Mail', { stage });
    const workers = new Map<string, ServiceFunction>();
    for (const subscription of subscriptions) {
      const { consumer } = subscription;
      const folder = `workers/${consumer}`;
      const worker = new ServiceFunction(this, `${consumer}-worker`, {
        stage,
        folder,
        dataKeys,
        description: descriptionOf(subscription),
        environment: {
          ...serviceVariables(stage, folder),
          ...(grantOf(folder).mail ? mailVariables(stage) : {}),
          ...(grantOf(folder).payments ? paymentVariables(stage) : {}),
        },
        timeout: Duration.seconds(subscription.timeoutSeconds),
        memoryMb: 512,
      });
      if (grantOf(folder).mail) worker.allow(mail.permission());
      new FanOut(this, consumer, { stage, bus, subscription, worker });
      workers.set(folder, worker);
    }
    const queues = this.#workers(props, workers);
    for (const [folder, worker] of workers) this.#fill(folder, worker, queues);
    this.#timers(props, queues, mail);
    new MetricAlarms(this, 'Figures', { stage, schedules: props.schedules });
    new QueueAlarms(this, 'Queues', {
      stage,
      consumers: [...subscriptions, ...props.workQueues].map(({ consumer }) => consumer),
    });
    new CfnOutput(this, 'BusName', {
      value: bus.eventBusName,
      description: 'The event bus: add rules of your own here.',
    });
  }

  /** Adds the work queues, each with its worker. */
  #workers(
    { stage, workQueues, dataKeys }: EventsStackProps,
    workers: Map<string, ServiceFunction>,
  ): Map<WorkQueue, ConsumerQueue> {
    return new Map(
      workQueues.map((row) => {
        const folder = `workers/${row.consumer}`;
        const worker = new ServiceFunction(this, `${row.consumer}-worker`, {
          stage,
          folder,
          dataKeys,
          description: row.description,
          environment: serviceVariables(stage, folder),
          timeout: Duration.seconds(row.timeoutSeconds),
        });
        workers.set(folder, worker);
        return [row, new ConsumerQueue(this, row.consumer, { ...row, stage, worker })];
      }),
    );
  }

  /** Allows a function to send to the queues of which it is a producer. */
  #fill(
    folder: string,
    { function: producer }: ServiceFunction,
    queues: Map<WorkQueue, ConsumerQueue>,
  ): void {
    for (const [{ consumer, producers }, { queue }] of queues)
      if (producers.includes(folder)) {
        producer.addEnvironment(queueUrlVariable(consumer), queue.queueUrl);
        queue.grantSendMessages(producer);
      }
  }

  #timers(
    { stage, schedules, dataKeys }: EventsStackProps,
    queues: Map<WorkQueue, ConsumerQueue>,
    mail: MailSending,
  ): void {
    for (const schedule of schedules) {
      const folder = `schedules/${schedule.name}`;
      const called = new ServiceFunction(this, `${schedule.name}-run`, {
        stage,
        folder,
        dataKeys,
        description: `Runs every ${schedule.everyMinutes} min.`,
        environment: {
          ...serviceVariables(stage, folder),
          ...(grantOf(folder).payments ? paymentVariables(stage) : {}),
          ...(grantOf(folder).mail ? mailVariables(stage) : {}),
        },
        timeout: Duration.seconds(schedule.timeoutSeconds),
        memoryMb: 512,
        runsByTimer: true,
      });
      if (grantOf(folder).mail) called.allow(mail.permission());
      this.#fill(folder, called, queues);
      new Timer(this, schedule.name, { stage, schedule, called });
    }
  }
}
