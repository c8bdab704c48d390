import type { DemoEnvironment } from '../../../../server/src/manifest/demo-file.ts';

/** Who calls the platform. */
export interface Caller {
  /** For the table. */
  name: string;
  /** Whether it may call every operation, so that each must succeed once. */
  mayDoEverything: boolean;
  /** An entry of a file with credentials in the format of Web Fuzzing Commons, without its name. */
  credentials(demo: DemoEnvironment): object;
}

const token = (value: string) => ({ fixedHeaders: [{ name: 'Authorization', value }] });

/** Callers of the demo's organization. */
export const callers: Caller[] = [
  {
    name: 'organization token',
    mayDoEverything: true,
    credentials: ({ organizationToken }) => token(organizationToken),
  },
  {
    name: 'access token',
    mayDoEverything: true,
    credentials: ({ apiKey, apiSecret }) => ({
      loginEndpointAuth: {
        endpoint: '/auth/authorize',
        verb: 'POST',
        contentType: 'application/json',
        payloadRaw: JSON.stringify({ key: apiKey, secret: apiSecret }),
        token: {
          extractFrom: 'body',
          extractSelector: '/accessToken',
          sendIn: 'header',
          sendName: 'Authorization',
          sendTemplate: 'Bearer {token}',
        },
      },
    }),
  },
  {
    name: 'token of a member',
    mayDoEverything: false,
    credentials: ({ memberToken }) => token(memberToken),
  },
];

/** The file with the credentials of a caller, and of an owner of another organization. */
export function callersFile({ credentials }: Caller, demo: DemoEnvironment, stranger: string): string {
  const auth = [
    { name: 'caller', ...credentials(demo) },
    { name: 'stranger', ...token(stranger) },
  ];
  return JSON.stringify({ auth });
}
