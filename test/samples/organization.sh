#region listOrganizationRoles
curl "$BASE_URL/organizations/roles" \
  -H "Authorization: $TOKEN"
#endregion

#region listWorkspaces
curl "$BASE_URL/organizations/workspaces" \
  -H "Authorization: $TOKEN"
#endregion

#region listWorkspaceRoles
curl --path-as-is "$BASE_URL/organizations/workspaces/${WORKSPACE_ID:?}/roles" \
  -H "Authorization: $TOKEN"
#endregion
