import type { ConsolePage } from '../page.ts';
import { audit } from './audit.ts';
import { deliveries } from './deliveries.ts';
import { delivery } from './delivery.ts';
import { execution } from './execution.ts';
import { executions } from './executions.ts';
import { links } from './links.ts';
import { queue } from './queue.ts';
import { schedules } from './schedules.ts';
import { usage } from './usage.ts';

/** In the order of the navigation. */
export const pages: ConsolePage[] = [
  executions,
  execution,
  schedules,
  deliveries,
  delivery,
  links,
  queue,
  usage,
  audit,
];

export const executionPath = execution.path;
