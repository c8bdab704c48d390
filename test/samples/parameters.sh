#region createParameterSet
curl "$WRP_BASE_URL/parameters" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: parameters-$RANDOM" \
  -d @- <<JSON
{
  "workflowDefinitionId": "$DEFINITION_ID",
  "parameters": {"claimNumber": "2026-0147", "deductible": 300}
}
JSON
#endregion

#region getParameterSet
curl --path-as-is "$WRP_BASE_URL/parameters/${PARAMETERS_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion
