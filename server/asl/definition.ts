import type { Json } from '../json/index.ts';

/** The Resource of a task that waits for another system's callback. */
export const callbackResource = 'wrp:callback:wait';

/**
 * A definition in the Amazon States Language (https://states-language.net), restricted to the query language JSONata
 * and the features that this platform supports. Field names are those of the language.
 */
export interface Definition extends Scope {
  Comment?: string;
  QueryLanguage: 'JSONata';
  Version?: string;
  /** Seconds that the whole execution may take. */
  TimeoutSeconds?: number;
}

/** The states of a definition, of a branch of a Parallel, or of the ItemProcessor of a Map. */
export interface Scope {
  StartAt: string;
  States: Record<string, State>;
}

export type State =
  | TaskState
  | PassState
  | ChoiceState
  | WaitState
  | SucceedState
  | FailState
  | ParallelState
  | MapState;

/** JSON in which every string from `{%` to `%}` is an expression. */
export type Template = Json;

/** A JSONata string: `{% … %}`. */
export type Expression = string;

/** New values of variables, by name without the `$`. */
export type Assignments = Record<string, Template>;

interface Described {
  Comment?: string;
  QueryLanguage?: 'JSONata';
}

/** Exactly one of the two. */
interface Continued {
  Next?: string;
  End?: true;
}

interface Producing {
  Output?: Template;
  Assign?: Assignments;
}

interface Recovering {
  Retry?: Retrier[];
  Catch?: Catcher[];
}

export interface Retrier {
  Comment?: string;
  ErrorEquals: string[];
  /** Seconds before the first retry. Default: 1. */
  IntervalSeconds?: number;
  /** Default: 3. 0: no retry. */
  MaxAttempts?: number;
  /** Factor by which each delay grows. Default: 2. */
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher extends Producing {
  Comment?: string;
  ErrorEquals: string[];
  Next: string;
}

export interface TaskState extends Described, Continued, Producing, Recovering {
  Type: 'Task';
  Resource: string;
  Arguments?: Template;
  TimeoutSeconds?: number | Expression;
  HeartbeatSeconds?: number | Expression;
}

export interface PassState extends Described, Continued, Producing {
  Type: 'Pass';
}

export interface ChoiceState extends Described, Producing {
  Type: 'Choice';
  Choices: ChoiceRule[];
  Default?: string;
}

export interface ChoiceRule extends Producing {
  Comment?: string;
  Condition: Expression | boolean;
  Next: string;
}

/** Exactly one of `Seconds` and `Timestamp`. */
export interface WaitState extends Described, Continued, Producing {
  Type: 'Wait';
  Seconds?: number | Expression;
  Timestamp?: string;
}

export interface SucceedState extends Described {
  Type: 'Succeed';
  Output?: Template;
}

export interface FailState extends Described {
  Type: 'Fail';
  Error?: string;
  Cause?: string;
}

export interface ParallelState extends Described, Continued, Producing, Recovering {
  Type: 'Parallel';
  Arguments?: Template;
  Branches: (Scope & { Comment?: string })[];
}

export interface MapState extends Described, Continued, Producing, Recovering {
  Type: 'Map';
  Items?: Json[] | Expression;
  ItemSelector?: Template;
  ItemProcessor: Scope & { Comment?: string; ProcessorConfig?: { Mode: 'INLINE' } };
  MaxConcurrency?: number | Expression;
  ToleratedFailureCount?: number | Expression;
  ToleratedFailurePercentage?: number | Expression;
}
