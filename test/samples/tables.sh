#region listTables
curl "$BASE_URL/tables" \
  -H "Authorization: $TOKEN"
#endregion

#region listRecords
curl --path-as-is "$BASE_URL/tables/${TABLE_ID:?}/records?size=2" \
  -H "Authorization: $TOKEN"
#endregion
