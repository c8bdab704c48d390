#region uploadResource
curl "$WRP_BASE_URL/resources" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Idempotency-Key: terms-$RANDOM" \
  -F "file=@policy-terms.pdf;type=application/pdf"
#endregion

#region downloadResource
curl --path-as-is "$WRP_BASE_URL/resources/${RESOURCE_ID:?}" \
  -H "Authorization: $WRP_TOKEN" \
  -o terms.pdf
#endregion
