/** A platform file of a few lines, for tests that change one of them. */
export const smallPlatform = `environments:
  production:
    organization: { name: Lake & Daughters }
    users:
      - { email: ada@lake.example, firstName: Ada, lastName: Lake, role: owner }
      - { email: ben@lake.example, firstName: Ben, lastName: Ngo, title: Clerk, role: member, mfaFactors: [totp] }
    workspaces:
      - name: Boats
        type: LIVE
        roles:
          - name: Inspector
            permissions:
              - relation: can_view_workspace
              - { relation: can_edit_attachments, table: Hulls }
              - { relation: can_manage_users, on: organization }
        members:
          - { user: ben@lake.example, role: Inspector }
        tables:
          - name: Hulls
            records: [{ name: Hull 1 }, { name: Hull 2 }]
        cases:
          - { name: Leak, record: Hull 1, contact: { name: Cy, email: cy@lake.example } }
        workflowDefinitions:
          - name: echo
            revision: '1'
            definition:
              QueryLanguage: JSONata
              StartAt: Echo
              States:
                Echo: { Type: Succeed }
`;
