#region listWorkflowDefinitions
curl "$BASE_URL/workflow-definitions?name=steps" \
  -H "Authorization: $TOKEN"
#endregion
