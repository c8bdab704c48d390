import { type JsonObject, namesIn } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { EventType } from '../store/events.ts';
import type { OrganizationRoleName, UserStatus, WorkspaceType } from '../store/schema.ts';

/**
 * A platform file that is valid against `platform-schema.json`, with its defaults filled in. A field without a default
 * keeps its stored value if the file does not mention it.
 */
export interface PlatformFile {
  environments: Partial<Record<EnvironmentName, EnvironmentDeclaration>>;
}

export interface EnvironmentDeclaration {
  organization: Declaration & {
    name: string;
    roleIds: Partial<Record<OrganizationRoleName, string>>;
  };
  users: UserDeclaration[];
  workspaces: WorkspaceDeclaration[];
  webhooks: WebhookDeclaration[];
}

export interface WebhookDeclaration extends Declaration {
  url: string;
  events: 'all' | EventType[];
}

export interface Declaration {
  id?: string;
  createdDateTime?: string;
}

export interface UserDeclaration extends Declaration {
  email: string;
  idpId?: string;
  profileId?: string;
  firstName: string;
  lastName: string;
  title: string;
  role: OrganizationRoleName;
  status: UserStatus;
  lastSignedInAt?: string;
  mfaFactors: string[];
}

export interface WorkspaceDeclaration extends Declaration {
  name: string;
  description?: string;
  type?: WorkspaceType;
  builtInRoles: Partial<
    Record<BuiltInRoleName, Declaration & { permissionIds: Partial<Record<string, string>> }>
  >;
  roles: RoleDeclaration[];
  members: { user: string; role: string }[];
  tables: TableDeclaration[];
  cases: CaseDeclaration[];
  workflowDefinitions: WorkflowDefinitionDeclaration[];
  schedules: ScheduleDeclaration[];
}

export interface RoleDeclaration extends Declaration {
  name: string;
  description?: string;
  permissions: PermissionDeclaration[];
}

export interface PermissionDeclaration {
  id?: string | undefined;
  relation: string;
  on?: 'workspace' | 'organization';
  table?: string;
}

export interface TableDeclaration extends Declaration {
  name: string;
  records: RecordDeclaration[];
}

export interface RecordDeclaration extends Declaration {
  name: string;
}

export interface CaseDeclaration extends Declaration {
  name: string;
  /** Null: none. */
  record?: string | null;
  /** Null: none. */
  contact?: { name: string; email: string } | null;
}

export interface WorkflowDefinitionDeclaration extends Declaration {
  name: string;
  revision: string;
  defaultLocale?: string;
  uiOptions?: JsonObject;
  inputSchema?: JsonObject;
  /** An Amazon States Language document. */
  definition: JsonObject;
}

export interface ScheduleDeclaration extends Declaration {
  name: string;
  /** Name or id of a workflow definition of the workspace. */
  definition: string;
  /** Email address. */
  user: string;
  cron: string;
  timeZone?: string;
  overlap?: 'skip' | 'queue' | 'allow';
  catchUp?: 'none' | 'latest' | 'all';
  jitterSeconds?: number;
  /** Null: none. */
  expiresAfterSeconds?: number | null;
  parameters?: JsonObject;
}

/** The roles of every workspace, with their permissions on the whole workspace. */
export const builtInRoles = [
  {
    name: 'Viewer',
    description: 'Views the workspace and the attachments of its records.',
    relations: ['can_view_workspace', 'can_read_attachments'],
  },
  {
    name: 'Editor',
    description: 'Edits records and their attachments.',
    relations: ['can_view_workspace', 'can_read_attachments', 'can_edit_attachments', 'can_edit_data'],
  },
  {
    name: 'Manager',
    description: 'Edits records and manages members.',
    relations: [
      'can_view_workspace',
      'can_manage_workspace_access',
      'can_read_attachments',
      'can_edit_attachments',
      'can_edit_data',
    ],
  },
] as const;

type BuiltInRoleName = (typeof builtInRoles)[number]['name'];

export function isBuiltInRole(name: string): name is BuiltInRoleName {
  return builtInRoles.some((role) => role.name === name);
}

/** A location in a platform file: keys and indexes from the top. */
export type Path = readonly (string | number)[];

/** A problem in a platform file, described for its author. */
export interface Problem {
  path: Path;
  message: string;
  /** Points at the key instead of its value. */
  atKey?: boolean;
  /** The file is accepted nevertheless. */
  warning?: true;
}

/** An invalid platform file. The message has one line per problem: `file:line:column path message`. */
export class PlatformFileError extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'PlatformFileError';
    this.lines = lines;
  }
}

/** `environments.production.users[3].email`; a name with other characters is quoted: `States["a.b"]` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** Reports every repetition of a value. */
export function duplicates(values: (readonly [value: string, path: Path])[], message: string): Problem[] {
  const seen = new Set<string>();
  return values.flatMap(([value, path]) => {
    if (seen.has(value)) return [{ path, message }];
    seen.add(value);
    return [];
  });
}

/** Converts a JSON Pointer (RFC 6901) into `value` to a path. */
export function pathOf(pointer: string, value: unknown): Path {
  let inner = value;
  return namesIn(pointer).map((name) => {
    const key = Array.isArray(inner) ? Number(name) : name;
    inner = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined;
    return key;
  });
}
