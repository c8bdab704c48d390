#region listWorkflows
curl "$WRP_BASE_URL/workflows?status=FAILED&size=10" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region startWorkflow
curl "$WRP_BASE_URL/workflows" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: claim-2026-0147-$RANDOM" \
  -d @- <<JSON
{
  "workflowDefinitionId": "$DEFINITION_ID",
  "parameters": {"claimNumber": "2026-0147", "deductible": 300}
}
JSON
#endregion

#region getWorkflow
curl --path-as-is "$WRP_BASE_URL/workflows/${WORKFLOW_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region cancelWorkflow
curl --path-as-is -X POST "$WRP_BASE_URL/workflows/${RUNNING_WORKFLOW_ID:?}/cancel" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Idempotency-Key: cancel-$RANDOM"
#endregion

#region getWorkflowResult
curl --path-as-is "$WRP_BASE_URL/workflows/${WORKFLOW_ID:?}/result" \
  -H "Authorization: $WRP_TOKEN"
#endregion
