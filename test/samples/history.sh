#region listHistory
curl --path-as-is "$WRP_BASE_URL/workflows/${WORKFLOW_ID:?}/history" \
  -H "Authorization: $WRP_TOKEN"
#endregion
