#region listWorkflowDefinitions
curl "$WRP_BASE_URL/workflow-definitions?name=steps" \
  -H "Authorization: $WRP_TOKEN"
#endregion
