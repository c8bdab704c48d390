export {
  type JobAdder,
  type JobQueue,
  type JobQueueOptions,
  openJobQueue,
  type RunningJob,
  type Workers,
} from './queue.ts';
