#region listOrganizationRoles
curl "$WRP_BASE_URL/organizations/roles" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region listWorkspaces
curl "$WRP_BASE_URL/organizations/workspaces" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region listWorkspaceRoles
curl --path-as-is "$WRP_BASE_URL/organizations/workspaces/${WORKSPACE_ID:?}/roles" \
  -H "Authorization: $WRP_TOKEN"
#endregion
