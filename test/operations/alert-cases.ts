import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const environment = 'production';
/** A scrape every 30 seconds, so `0x20` is ten minutes of zeros, and `stale` a failed scrape. */
export const interval = '30s';

export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: 'critical' | 'warning' };
  annotations: { summary: string; runbook_url: string };
}

export const rulesFile = new URL('../../server/operations/alert-rules.yaml', import.meta.url);
export const alertRules: AlertRule[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
);

/** What Prometheus has scraped, and what it makes of it. */
export interface AlertCase {
  alert: string;
  when: string;
  /** Samples by series, in the notation of promtool. */
  series: Record<string, string>;
  /** When the rule is looked at. */
  at: string;
  /** The labels and the value of the alert that fires then; undefined: none. */
  fires?: { labels: Record<string, string>; value?: string };
}

/** A series of one process; of production if it has an environment. */
const of = (name: string, labels = '', instance = 'a') =>
  `${name}{job="wrp",instance="${instance}"${labels && `,${labels}`}}`;
const there = (name: string, labels = '', instance = 'a') =>
  of(name, `environment="${environment}"${labels && `,${labels}`}`, instance);
const inEnvironment = { labels: { environment } };
const instance = { labels: { job: 'wrp', instance: 'a' } };

const requests = (status: number, operation = 'getUser', process = 'a') =>
  there('wrp_requests_total', `operation="${operation}",status="${status}"`, process);
const ready = (part: string, process = 'a') => there('wrp_part_ready', `part="${part}"`, process);
const sweeps = (outcome: string) => there('wrp_blob_sweeps_total', `outcome="${outcome}"`);
const schedules = (outcome: string) => there('wrp_schedules_total', `outcome="${outcome}"`);
const mails = (outcome: string) => there('wrp_mails_total', `outcome="${outcome}"`);
const definition = (figure: 'failed' | 'ended', id = 'd1', name = 'Claim') =>
  there(`wrp_definition_executions_${figure}`, `definition="${id}",name="${name}"`);
const bucket = (le: string, operation = 'getUser') =>
  there('wrp_request_duration_seconds_bucket', `operation="${operation}",status="200",le="${le}"`);
const build = (version: string, commit: string, process: string) =>
  of('wrp_build_info', `version="${version}",commit="${commit}"`, process);

const casesByAlert: Record<string, Omit<AlertCase, 'alert'>[]> = {
  ProcessDown: [
    {
      when: 'a process does not respond for two minutes',
      series: { [of('up')]: '1 0x20', [of('up', '', 'b')]: '1x20' },
      at: '4m',
      fires: instance,
    },
    {
      when: 'Prometheus has no process to ask',
      series: { 'up{job="other"}': '1x20' },
      at: '4m',
      fires: { labels: { job: 'wrp' } },
    },
    {
      when: 'a process is restarted within a minute',
      series: { [of('up')]: '1x5 0 0 1x20' },
      at: '5m',
    },
  ],
  NotReady: [
    {
      when: 'a process starts and does not become ready',
      series: { [of('wrp_ready')]: '0x20' },
      at: '3m',
      fires: instance,
    },
    {
      when: 'a process cannot start and is restarted each minute',
      series: { [of('wrp_ready')]: '0 0 stale 0 0 stale 0 0 stale 0 0 stale 0 0 stale' },
      at: '6m',
      fires: instance,
    },
    {
      when: 'a process is replaced by another',
      series: { [of('wrp_ready')]: '1x10 0 stale', [of('wrp_ready', '', 'b')]: '_x9 0 0 1x20' },
      at: '9m',
    },
  ],
  DatabaseDown: [
    {
      when: 'it is down without any traffic',
      series: { [ready('database')]: '1x4 0x20', [ready('blob_store')]: '1x24' },
      at: '5m',
      fires: { labels: { environment, part: 'database' } },
    },
    {
      when: 'it is down when all processes start',
      series: { [ready('database')]: '0 0 stale 0 0 stale 0 0 stale', [ready('database', 'b')]: '0x20' },
      at: '3m',
      fires: { labels: { environment, part: 'database' } },
    },
    {
      when: 'its disk is full',
      series: { [ready('disk')]: '1 0x20' },
      at: '4m',
      fires: { labels: { environment, part: 'disk' } },
    },
    {
      when: 'one process cannot reach it',
      series: { [ready('database')]: '0x20', [ready('database', 'b')]: '1x20' },
      at: '5m',
    },
    {
      when: 'it fails over within 30 seconds',
      series: { [ready('database')]: '1x4 0 1x20' },
      at: '4m',
    },
  ],
  FileStoreDown: [
    {
      when: 'no process can write to it',
      series: { [ready('blob_store')]: '1 0x20', [ready('blob_store', 'b')]: '1 0x20' },
      at: '4m',
      fires: inEnvironment,
    },
    {
      when: 'only the database is down',
      series: { [ready('blob_store')]: '1x20', [ready('database')]: '0x20' },
      at: '4m',
    },
  ],
  InternalErrors: [
    {
      when: 'the first failure follows the start of a process without other requests',
      series: { [requests(500)]: '0 1x40' },
      at: '6m',
      fires: inEnvironment,
    },
    {
      when: 'a new process fails beside an old one that serves',
      series: { [requests(200)]: '0+10x40', [requests(503, 'getUser', 'b')]: '_x10 0+1x30' },
      at: '15m',
      fires: inEnvironment,
    },
    {
      when: 'one of 1,000 requests fails',
      series: { [requests(200)]: '0+1000x40', [requests(500)]: '0+1x40' },
      at: '15m',
    },
    {
      when: 'only the probes of a process that is not ready get 503',
      series: { [requests(503, 'health')]: '0+5x40', [requests(200)]: '0+1x40' },
      at: '15m',
    },
  ],
  SlowRequests: [
    {
      when: 'every tenth request takes up to ten seconds',
      series: { [bucket('2.5')]: '0+9x60', [bucket('10')]: '0+10x60', [bucket('+Inf')]: '0+10x60' },
      at: '25m',
      fires: inEnvironment,
    },
    {
      when: 'only long polls and downloads take long',
      series: Object.fromEntries(
        ['pollWebhookEvents', 'files'].flatMap((operation) => [
          [bucket('2.5', operation), '0x60'],
          [bucket('+Inf', operation), '0+10x60'],
        ]),
      ),
      at: '25m',
    },
  ],
  RequestsRefusedForLackOfConnections: [
    {
      when: 'a process refuses requests from its start on',
      series: { [there('wrp_database_refused_total', 'purpose="requests"')]: '0 1+1x20' },
      at: '6m',
      fires: inEnvironment,
    },
    {
      when: 'only deliveries wait for a connection',
      series: { [there('wrp_database_refused_total', 'purpose="webhooks"')]: '0+5x20' },
      at: '6m',
    },
  ],
  JobsNotStarted: [
    {
      when: 'a mail has been due for ten minutes',
      series: { [there('wrp_job_waiting_seconds', 'queue="mail"')]: '0+30x30' },
      at: '11m',
      fires: { labels: { environment, queue: 'mail' } },
    },
    {
      when: 'only deliveries to an endpoint that fails have been due for long',
      series: { [there('wrp_job_waiting_seconds', 'queue="webhook-delivery"')]: '0+30x60' },
      at: '20m',
    },
  ],
  ExecutionsFailing: [
    {
      when: 'the first execution of a definition fails, and nothing else has ended',
      series: { [definition('failed')]: '_x5 1x10', [definition('ended')]: '_x5 1x10' },
      at: '3m',
      fires: { labels: { environment, definition: 'd1', name: 'Claim' } },
    },
    {
      when: 'a fifth of the executions of one definition fails',
      series: { [definition('failed')]: '20x10', [definition('ended')]: '100x10' },
      at: '3m',
    },
  ],
  ScheduleRefused: [
    {
      when: 'the first start of a process is refused',
      series: { [schedules('refused')]: '0 1x20', [schedules('started')]: '0x20' },
      at: '10m',
      fires: inEnvironment,
    },
    {
      when: 'starts are skipped, because the last execution is running',
      series: { [schedules('refused')]: '0x20', [schedules('skipped')]: '0+1x20' },
      at: '10m',
    },
  ],
  EventsNotRelayed: [
    {
      when: 'the relay stands still',
      series: { [there('wrp_events_unrelayed')]: '0+100x60' },
      at: '16m',
      fires: inEnvironment,
    },
    {
      when: 'it catches up within ten minutes',
      series: { [there('wrp_events_unrelayed')]: '5000-500x10 0x30' },
      at: '12m',
    },
  ],
  WebhookBacklog: [
    {
      when: 'deliveries pile up',
      series: { [there('wrp_webhook_deliveries', 'state="due"')]: '20000x60' },
      at: '16m',
      fires: inEnvironment,
    },
    {
      when: 'many deliveries wait for a later attempt',
      series: { [there('wrp_webhook_deliveries', 'state="scheduled"')]: '20000x60' },
      at: '16m',
    },
  ],
  WebhookEndpointFailing: [
    {
      when: 'an endpoint fails for an hour',
      series: { [there('wrp_webhook_endpoints_failing')]: '0 1x200' },
      at: '65m',
      fires: inEnvironment,
    },
    {
      when: 'it works again after half an hour',
      series: { [there('wrp_webhook_endpoints_failing')]: '1x60 0x140' },
      at: '65m',
    },
  ],
  MailFailing: [
    {
      when: 'the first mail of a process fails',
      series: { [mails('failed')]: '0 1 2 3x40', [mails('sent')]: '0x43' },
      at: '7m',
      fires: inEnvironment,
    },
    {
      when: 'one of two mails is sent at a later attempt',
      series: { [mails('failed')]: '0 1x40', [mails('sent')]: '0 1x40' },
      at: '7m',
    },
  ],
  MailWaiting: [
    {
      when: 'a mail waits for its next attempt for half an hour',
      series: { [there('wrp_jobs', 'queue="mail",state="deferred"')]: '0 1x100' },
      at: '32m',
      fires: inEnvironment,
    },
    {
      when: 'mails are sent at their second attempt',
      series: { [there('wrp_jobs', 'queue="mail",state="deferred"')]: '1x20 0 1x20 0 1x60' },
      at: '32m',
    },
  ],
  DiskAlmostFull: [
    {
      when: 'a twentieth is free',
      series: { [of('wrp_disk_free_bytes')]: '5x40', [of('wrp_disk_size_bytes')]: '100x40' },
      at: '11m',
      fires: instance,
    },
    {
      when: 'a fifth is free',
      series: { [of('wrp_disk_free_bytes')]: '20x40', [of('wrp_disk_size_bytes')]: '100x40' },
      at: '11m',
    },
  ],
  BlobSweepFailed: [
    {
      when: 'the first sweep of a process fails',
      series: { [sweeps('failed')]: '0x10 1x400', [sweeps('done')]: '0x410' },
      at: '10m',
      fires: inEnvironment,
    },
    {
      when: 'a new process has swept before its first scrape',
      series: { [sweeps('failed')]: '_x10 1x400' },
      at: '10m',
      fires: inEnvironment,
    },
    {
      when: 'a sweep stops',
      series: { [sweeps('stopped')]: '0x10 1x400' },
      at: '10m',
      fires: inEnvironment,
    },
    {
      when: 'the only failure was hours ago, and scrapes have failed since',
      series: { [sweeps('failed')]: '0 1x800 _x40 1x800' },
      at: '10h',
    },
    {
      when: 'sweeps succeed',
      series: { [sweeps('done')]: '1+1x400', [sweeps('failed')]: '0x400' },
      at: '3h',
    },
  ],
  EventLoopBlocked: [
    {
      when: 'the event loop is late for ten minutes',
      series: { [of('nodejs_eventloop_lag_p99_seconds')]: '0.4x40' },
      at: '11m',
      fires: instance,
    },
    {
      when: 'it is late for a moment',
      series: { [of('nodejs_eventloop_lag_p99_seconds')]: '0.01x5 0.9 0.01x40' },
      at: '11m',
    },
  ],
  ClockSkew: [
    {
      when: 'the clock of a process is ten minutes behind',
      series: { [of('wrp_clock_skew_seconds')]: '-600x20', [of('wrp_clock_skew_seconds', '', 'b')]: '1x20' },
      at: '6m',
      fires: { ...instance, value: '600' },
    },
    {
      when: 'clocks differ by two seconds',
      series: { [of('wrp_clock_skew_seconds')]: '-2x20' },
      at: '6m',
    },
  ],
  SeveralVersions: [
    {
      when: 'a process still runs another commit after an hour',
      series: { [build('3.2.0', 'c1', 'a')]: '1x200', [build('3.2.0', 'c2', 'b')]: '1x200' },
      at: '65m',
      fires: { labels: {}, value: '2' },
    },
    {
      when: 'an upgrade takes ten minutes',
      series: {
        [build('3.2.0', 'c1', 'a')]: '1x20',
        [build('3.3.0', 'c2', 'b')]: '1x200',
        [build('3.3.0', 'c2', 'c')]: '1x200',
      },
      at: '65m',
    },
  ],
  MetricsMissing: [
    {
      when: 'a process cannot count jobs',
      series: {
        [ready('job_queue')]: '1x40',
        [ready('job_queue', 'b')]: '1x40',
        [there('wrp_jobs', 'queue="mail",state="ready"', 'b')]: '0x40',
      },
      at: '11m',
      fires: inEnvironment,
    },
    {
      when: 'executions are counted in no process',
      series: { [ready('database')]: '0x40' },
      at: '11m',
      fires: inEnvironment,
    },
    {
      when: 'every process counts both',
      series: {
        [ready('job_queue')]: '1x40',
        [ready('database')]: '1x40',
        [there('wrp_jobs', 'queue="mail",state="ready"')]: '0x40',
        [there('wrp_executions', 'status="RUNNING"')]: '0x40',
      },
      at: '11m',
    },
  ],
};

export const alertCases: AlertCase[] = Object.entries(casesByAlert).flatMap(([alert, cases]) =>
  cases.map((one) => ({ alert, ...one })),
);
