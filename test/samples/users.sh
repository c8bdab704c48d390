#region listUsers
curl "$WRP_BASE_URL/organizations/users?page=0&size=20" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region getUser
curl --path-as-is "$WRP_BASE_URL/organizations/users/${USER_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region updateUserProfile
curl --path-as-is -X PUT "$WRP_BASE_URL/organizations/users/${USER_ID:?}/profile" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"title": "Team lead, intake"}'
#endregion

#region changeUserRole
curl --path-as-is -X PUT "$WRP_BASE_URL/organizations/users/${USER_ID:?}/role" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"roleId": "$ROLE_ID"}
JSON
#endregion

#region terminateUser
curl --path-as-is -X POST "$WRP_BASE_URL/organizations/users/${USER_ID:?}/terminate" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Idempotency-Key: terminate-$RANDOM"
#endregion

#region reinstateUser
curl --path-as-is "$WRP_BASE_URL/organizations/users/${USER_ID:?}/reinstate" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: reinstate-$RANDOM" \
  -d @- <<JSON
{"roleId": "$ROLE_ID"}
JSON
#endregion

#region resetUserMfa
curl --path-as-is -X POST "$WRP_BASE_URL/organizations/users/${USER_ID:?}/reset-mfa" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Idempotency-Key: reset-mfa-$RANDOM"
#endregion
