#region createLink
curl "$WRP_BASE_URL/link" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: link-$RANDOM" \
  -d @- <<JSON
{"caseId": "$CASE_ID", "workflowDefinitionId": "$FORM_DEFINITION_ID"}
JSON
#endregion

#region sendLink
curl "$WRP_BASE_URL/link/send" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: send-link-$RANDOM" \
  -d @- <<JSON
{"caseId": "$CASE_ID", "workflowDefinitionId": "$FORM_DEFINITION_ID"}
JSON
#endregion

#region listCases
curl "$WRP_BASE_URL/cases" \
  -H "Authorization: $WRP_TOKEN"
#endregion
