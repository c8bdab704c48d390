#region listMemberships
curl --path-as-is "$WRP_BASE_URL/organizations/workspaces/${WORKSPACE_ID:?}/memberships" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region listDirectMemberships
curl --path-as-is "$WRP_BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region setMembership
curl --path-as-is -X PUT "$WRP_BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships/${USER_ID:?}" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"userId": "$USER_ID", "roleId": "$WORKSPACE_ROLE_ID"}
JSON
#endregion

#region removeMembership
curl --path-as-is -X DELETE "$WRP_BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships/${USER_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion
