#region createParameterSet
curl "$BASE_URL/parameters" \
  -H "Authorization: $TOKEN" \
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
curl --path-as-is "$BASE_URL/parameters/${PARAMETERS_ID:?}" \
  -H "Authorization: $TOKEN"
#endregion
