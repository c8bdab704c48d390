#region listUsers
curl "$BASE_URL/organizations/users?page=0&size=20" \
  -H "Authorization: $TOKEN"
#endregion

#region getUser
curl --path-as-is "$BASE_URL/organizations/users/${USER_ID:?}" \
  -H "Authorization: $TOKEN"
#endregion

#region updateUserProfile
curl --path-as-is -X PUT "$BASE_URL/organizations/users/${USER_ID:?}/profile" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"title": "Team lead, intake"}'
#endregion

#region changeUserRole
curl --path-as-is -X PUT "$BASE_URL/organizations/users/${USER_ID:?}/role" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"roleId": "$ROLE_ID"}
JSON
#endregion

#region terminateUser
curl --path-as-is -X POST "$BASE_URL/organizations/users/${USER_ID:?}/terminate" \
  -H "Authorization: $TOKEN" \
  -H "Idempotency-Key: terminate-$RANDOM"
#endregion

#region reinstateUser
curl --path-as-is "$BASE_URL/organizations/users/${USER_ID:?}/reinstate" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: reinstate-$RANDOM" \
  -d @- <<JSON
{"roleId": "$ROLE_ID"}
JSON
#endregion

#region resetUserMfa
curl --path-as-is -X POST "$BASE_URL/organizations/users/${USER_ID:?}/reset-mfa" \
  -H "Authorization: $TOKEN" \
  -H "Idempotency-Key: reset-mfa-$RANDOM"
#endregion
