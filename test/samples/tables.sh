#region listTables
curl "$WRP_BASE_URL/tables" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region listRecords
curl --path-as-is "$WRP_BASE_URL/tables/${TABLE_ID:?}/records?size=2" \
  -H "Authorization: $WRP_TOKEN"
#endregion
