#region createLink
curl "$BASE_URL/link" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: link-$RANDOM" \
  -d @- <<JSON
{"caseId": "$CASE_ID", "workflowDefinitionId": "$FORM_DEFINITION_ID"}
JSON
#endregion

#region sendLink
curl "$BASE_URL/link/send" \
  -H "Authorization: $TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: send-link-$RANDOM" \
  -d @- <<JSON
{"caseId": "$CASE_ID", "workflowDefinitionId": "$FORM_DEFINITION_ID"}
JSON
#endregion

#region listCases
curl "$BASE_URL/cases" \
  -H "Authorization: $TOKEN"
#endregion
