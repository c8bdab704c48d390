#region listMemberships
curl --path-as-is "$BASE_URL/organizations/workspaces/${WORKSPACE_ID:?}/memberships" \
  -H "Authorization: $TOKEN"
#endregion

#region listDirectMemberships
curl --path-as-is "$BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships" \
  -H "Authorization: $TOKEN"
#endregion

#region setMembership
curl --path-as-is -X PUT "$BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships/${USER_ID:?}" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"userId": "$USER_ID", "roleId": "$WORKSPACE_ROLE_ID"}
JSON
#endregion

#region removeMembership
curl --path-as-is -X DELETE "$BASE_URL/workspaces/${WORKSPACE_ID:?}/memberships/${USER_ID:?}" \
  -H "Authorization: $TOKEN"
#endregion
