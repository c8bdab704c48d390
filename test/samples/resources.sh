#region uploadResource
curl "$BASE_URL/resources" \
  -H "Authorization: $TOKEN" \
  -H "Idempotency-Key: terms-$RANDOM" \
  -F "file=@policy-terms.pdf;type=application/pdf"
#endregion

#region downloadResource
curl --path-as-is "$BASE_URL/resources/${RESOURCE_ID:?}" \
  -H "Authorization: $TOKEN" \
  -o terms.pdf
#endregion
