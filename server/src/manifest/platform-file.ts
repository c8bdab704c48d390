import type { JsonObject } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { EventType } from '../store/events.ts';
import type { OrganizationRoleName, UserStatus, WorkspaceType } from '../store/schema.ts';
import type { BuiltInRoleName } from './built-in-roles.ts';

/** A platform file that is valid against `platform-schema.json`, with its defaults filled in. */
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
  description: string;
  type: WorkspaceType;
  builtInRoles: Partial<
    Record<BuiltInRoleName, Declaration & { permissionIds: Partial<Record<string, string>> }>
  >;
  roles: RoleDeclaration[];
  members: { user: string; role: string }[];
  tables: TableDeclaration[];
  cases: CaseDeclaration[];
  workflowDefinitions: WorkflowDefinitionDeclaration[];
}

export interface RoleDeclaration extends Declaration {
  name: string;
  description: string;
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
  record?: string;
  contact?: { name: string; email: string };
}

export interface WorkflowDefinitionDeclaration extends Declaration {
  name: string;
  revision: string;
  defaultLocale: string;
  uiOptions: JsonObject;
  inputSchema: JsonObject;
  /** An Amazon States Language document. */
  definition: JsonObject;
}
